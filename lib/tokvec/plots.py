"""The look of the book's plots: one style file, five colours with one meaning each, alt text on every picture."""

from __future__ import annotations

import base64
import html
import io
from pathlib import Path

# Okabe and Ito's palette: told apart by colour-blind readers, and by their lightness in grey print.
COLOURS = {
    "token": "#0072B2",
    "id": "#777777",
    "vector": "#009E73",
    "probability": "#E69F00",
    "gradient": "#D55E00",
}


def use() -> None:
    """Set matplotlib to the book's style."""
    import matplotlib.pyplot as plt

    plt.style.use(Path(__file__).parent / "tokvec.mplstyle")


def show(alt: str, caption: str) -> None:
    """Show the current matplotlib figure with a text for those who cannot see it, and a caption.

    Parameters
    ----------
    alt : str
        What the picture shows, in a sentence: read aloud by screen readers.
    caption : str
        What to look for; printed under the picture.

    Notes
    -----
    The picture is stored as PNG inside an HTML figure, so that the alt text travels with it to
    the page, to GitHub and to Colab. nbval compares everything but the picture's bytes: those
    depend on the machine's fonts.
    """
    import matplotlib.pyplot as plt
    from IPython.display import display
    from PIL import Image

    drawn, small = io.BytesIO(), io.BytesIO()
    plt.savefig(drawn, format="png", dpi=160)
    plt.close()
    # A palette of 128 colours halves the bytes that every reader downloads, with no visible change.
    Image.open(drawn).convert("RGB").quantize(128).save(small, format="png", optimize=True)
    display(_Picture(small.getvalue(), alt, caption))


class _Picture:
    """A PNG with alt text and caption, shown as one HTML figure."""

    def __init__(self, png: bytes, alt: str, caption: str) -> None:
        self.png, self.alt, self.caption = png, alt, caption

    def _repr_html_(self) -> str:
        data = base64.b64encode(self.png).decode("ascii")
        return (
            f'<figure class="tv-plot"><img alt="{html.escape(self.alt)}" src="data:image/png;base64,{data}">'
            f"<figcaption>{html.escape(self.caption)}</figcaption></figure>"
        )

    def __repr__(self) -> str:
        return f"Figure: {self.caption}"
