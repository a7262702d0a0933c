import csv, io, os
from urllib.request import Request, urlopen

server = os.environ.get("SERVER", "http://localhost:3000")
map_id = os.environ.get("MAP", "pine-ridge")
authorization = f"Bearer {os.environ['TOKEN']}"

address = f"{server}/api/maps/{map_id}/export?format=csv&kind=parcel&columns=id,name,owner,area&sort=name"
with urlopen(Request(address, headers={"Authorization": authorization})) as answer:
    # The byte order mark tells spreadsheets that it is UTF-8.
    for parcel in csv.DictReader(io.TextIOWrapper(answer, "utf-8-sig", newline="")):
        print(parcel["id"], parcel["name"], parcel["owner"], parcel["area"], sep="\t")
