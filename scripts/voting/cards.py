"""Paper to vote with, where there is no network: one sheet a student, folded so that one letter is
to be seen."""

# Four colours that a colour-blind eye tells apart by lightness as well (Okabe & Ito 2008).
COLOURS = {"A": "#0072B2", "B": "#E69F00", "C": "#009E73", "D": "#F0E442"}
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Cards to vote with</title>
<style>
@page { size: A4; margin: 0; }
body { margin: 0; font-family: sans-serif; }
.sheet { display: grid; grid-template: 1fr 1fr / 1fr 1fr; width: 210mm; height: 296mm; }
.card { display: grid; place-content: center; text-align: center; border: 1px dashed #767676; }
.letter { font-size: 85mm; font-weight: 700; line-height: 1; border-bottom: 14mm solid; }
.card p { margin: 4mm 0 0; }
</style>
<div class="sheet">
CARDS</div>
</html>
"""


def page() -> str:
    """The sheet as HTML: four quarters, to be folded twice, on A4; a printer fits it to Letter."""
    made = "".join(
        f'<div class="card"><div class="letter" style="border-color:{colour}">{letter}</div>'
        "<p>Fold twice. Hold up your letter at the count of three.</p></div>\n"
        for letter, colour in COLOURS.items()
    )
    return PAGE.replace("CARDS", made)
