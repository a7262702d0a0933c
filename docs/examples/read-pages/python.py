import json, os
from urllib.request import urlopen

server = os.environ.get("SERVER", "http://localhost:3000")
map_id = os.environ.get("MAP", "pine-ridge")

address = f"{server}/ogc/{map_id}/collections/parcels/items?limit=1000"
while address:
    with urlopen(address) as answer:
        page = json.load(answer)
    for feature in page["features"]:
        print(feature["id"], feature["properties"]["name"], sep="\t")
    address = next((link["href"] for link in page["links"] if link["rel"] == "next"), None)
