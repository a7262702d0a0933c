import json, os
from urllib.parse import urlencode
from urllib.request import urlopen

server = os.environ.get("SERVER", "http://localhost:3000")
map_id = os.environ.get("MAP", "pine-ridge")

question = urlencode({
    "filter": "status <> 'operational' AND type IN ('water', 'road')",
    "bbox": "-111.2,34,-111,34.1",
})
with urlopen(f"{server}/ogc/{map_id}/collections/assets.points/items?{question}") as answer:
    page = json.load(answer)
for feature in page["features"]:
    print(feature["id"], feature["properties"]["status"], sep="\t")
print(page["numberMatched"], "in all")
