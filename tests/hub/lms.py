"""A learning platform, as small as LTI 1.3 lets it be: signs who somebody is, lets a tool in that
signs, and keeps its grades."""

import json
import secrets
import time

import jwt
from aiohttp import web
from cryptography.hazmat.primitives.asymmetric import rsa

LTI, AGS = "https://purl.imsglobal.org/spec/lti/claim", "https://purl.imsglobal.org/spec/lti-ags"
CLIENT, DEPLOYMENT = "the-hub-at-the-platform", "1"
SCOPES = [f"{AGS}/scope/lineitem", f"{AGS}/scope/score"]


class Platform:
    """`async with Platform() as platform`; people: {the platform's number: e-mail address}; scores:
    {line item: {number: score}}."""

    def __init__(self, people):
        self.people, self.items, self.scores, self.tokens, self.tool_key, self.scopes = (
            people,
            {},
            {},
            set(),
            None,
            SCOPES,
        )
        self.key = self.shown = rsa.generate_private_key(
            65537, 2048
        )  # it signs with one, and shows the other's public half

    async def __aenter__(self):
        app = web.Application()
        app.add_routes(
            [
                web.get("/auth", self.auth),
                web.get("/jwks", self.jwks),
                web.post("/token", self.token),
                web.get("/items", self.listed),
                web.post("/items", self.create),
                web.post("/items/{item}/scores", self.score),
            ]
        )
        self.runner = web.AppRunner(app)
        await self.runner.setup()
        site = web.TCPSite(self.runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{self.runner.addresses[0][1]}"
        self.items[f"{self.url}/items/link"] = {
            "id": f"{self.url}/items/link",
            "label": "The link",
            "scoreMaximum": 100,
        }
        return self

    async def __aexit__(self, *_):
        await self.runner.cleanup()

    async def jwks(self, request):
        jwk = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(self.shown.public_key()))
        return web.json_response({"keys": [{**jwk, "kid": "one", "use": "sig", "alg": "RS256"}]})

    async def auth(self, request):
        """What the platform's page would post to the tool."""
        asked, now = request.query, int(time.time())
        assert (asked["client_id"], asked["response_type"], asked["scope"]) == (
            CLIENT,
            "id_token",
            "openid",
        )
        endpoint = {
            "scope": self.scopes,
            "lineitems": f"{self.url}/items",
            "lineitem": f"{self.url}/items/link",
        }
        claims = {
            "iss": self.url,
            "aud": CLIENT,
            "sub": asked["login_hint"],
            "exp": now + 60,
            "iat": now,
            "nonce": asked["nonce"],
            "email": self.people[asked["login_hint"]],
            f"{LTI}/version": "1.3.0",
            f"{LTI}/deployment_id": DEPLOYMENT,
            f"{LTI}/message_type": "LtiResourceLinkRequest",
            f"{LTI}/resource_link": {"id": "link"},
            f"{LTI}/roles": [],
            f"{LTI}/target_link_uri": asked["redirect_uri"],
            f"{AGS}/claim/endpoint": endpoint,
        }
        token = jwt.encode(claims, self.key, algorithm="RS256", headers={"kid": "one"})
        return web.json_response(
            {"to": asked["redirect_uri"], "form": {"id_token": token, "state": asked["state"]}}
        )

    async def token(self, request):
        asked = await request.post()
        jwt.decode(
            asked["client_assertion"],
            self.tool_key,
            algorithms=["RS256"],
            audience=f"{self.url}/token",
            issuer=CLIENT,
        )
        self.tokens.add(token := secrets.token_hex())
        return web.json_response(
            {
                "access_token": token,
                "token_type": "Bearer",
                "expires_in": 3600,
                "scope": asked["scope"],
            }
        )

    def check(self, request):
        if request.headers.get("Authorization", "").removeprefix("Bearer ") not in self.tokens:
            raise web.HTTPUnauthorized

    async def listed(self, request):
        self.check(request)
        return web.json_response(list(self.items.values()))

    async def create(self, request):
        self.check(request)
        item = {**json.loads(await request.read()), "id": f"{self.url}/items/{len(self.items)}"}
        self.items[item["id"]] = item
        return web.json_response(item)

    async def score(self, request):
        self.check(request)
        score = json.loads(await request.read())
        item = self.items[f"{self.url}/items/{request.match_info['item']}"]
        self.scores.setdefault(item["label"], {})[score["userId"]] = (
            score["scoreGiven"],
            score["scoreMaximum"],
        )
        return web.Response(status=204)
