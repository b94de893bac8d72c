"""`python -m designlab` does what the command `designlab` does."""

from designlab.cli import main

if __name__ == "__main__":
    main()
