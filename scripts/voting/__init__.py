"""Votes by phone in the room: no accounts, nothing leaves the room.

polls.py   the questions of the lectures, their two rounds, what was counted: no network
server.py  pages and answers over HTTP, for phones, the wall, the presenter and the slides
cards.py   paper with A to D, where there is no network
pages/     what the browsers get
"""
