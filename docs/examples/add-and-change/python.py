import json, os
from urllib.request import Request, urlopen

server = os.environ.get("SERVER", "http://localhost:3000")
map_id = os.environ.get("MAP", "pine-ridge")
authorization = f"Bearer {os.environ['TOKEN']}"


def send(method, address, body, media_type, **more):
    headers = {"Authorization": authorization, "Content-Type": media_type, **more}
    return urlopen(Request(address, json.dumps(body).encode(), headers, method=method))


well = {
    "type": "Feature",
    "geometry": {"type": "Point", "coordinates": [-111.09, 34.05]},
    "properties": {"name": "Well 7", "type": "water", "status": "operational"},
}
items = f"{server}/ogc/{map_id}/collections/assets.points/items"
with send("POST", items, well, "application/geo+json") as answer:
    address, etag = answer.headers["Location"], answer.headers["ETag"]

change = {"properties": {"status": "offline"}}
with send("PATCH", address, change, "application/merge-patch+json", **{"If-Match": etag}) as answer:
    print(json.load(answer)["properties"])
