"""From tokens to vectors: the tested core behind the book's ten chapters.

Each chapter imports one module of this package. Importing ``tokvec`` itself is
cheap: torch, transformers and numba are imported only by the modules that use them.
"""

__version__ = "0.1.0"
