# python3 python.py hydrants.csv
import json, os, sys, time, uuid
from urllib.request import Request, urlopen

server = os.environ.get("SERVER", "http://localhost:3000")
map_id = os.environ.get("MAP", "pine-ridge")
authorization = f"Bearer {os.environ['TOKEN']}"
path = sys.argv[1] if len(sys.argv) > 1 else "hydrants.csv"
most_bytes_of_piece = 5_000_000


def ask(method, address, body=None):
    is_file = isinstance(body, bytes)
    headers = {"Authorization": authorization}
    if body is not None:
        headers["Content-Type"] = "application/octet-stream" if is_file else "application/json"
    data = body if is_file or body is None else json.dumps(body).encode()
    with urlopen(Request(address, data, headers, method=method)) as answer:
        return json.load(answer)


def wait_for(state):
    """Waits until the server has finished a step."""
    while (draft := ask("GET", address))["state"].endswith("ing"):
        time.sleep(0.5)
    if draft["state"] != state:
        raise SystemExit(f"{draft['state']}: {draft['problem']}")
    return draft


with open(path, "rb") as file:
    content = file.read()
drafts = f"{server}/api/maps/{map_id}/import-drafts"
draft_id = str(uuid.uuid4())
address = f"{drafts}/{draft_id}"
ask("POST", drafts, {"id": draft_id, "files": [{"name": os.path.basename(path), "size": len(content)}]})
for offset in range(0, len(content), most_bytes_of_piece):
    ask("PUT", f"{address}/files/0?offset={offset}", content[offset : offset + most_bytes_of_piece])
wait_for("examined")

ask("PATCH", f"{address}/settings", {"kind": "asset", "type": "water", "columns": {"id": "Nr", "name": "Label"}})
ask("POST", f"{address}/try")
outcome = wait_for("tried")["outcome"]
print(outcome["created"], "new,", outcome["updated"], "changed,", outcome["refused"], "refused")
for row in outcome["reported"]:
    print("row", row["rowNumber"], row["outcome"], row["reason"])

ask("POST", f"{address}/import")
wait_for("imported")
