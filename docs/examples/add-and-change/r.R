library(curl)
library(jsonlite)

server <- Sys.getenv("SERVER", "http://localhost:3000")
map_id <- Sys.getenv("MAP", "pine-ridge")
authorization <- paste("Bearer", Sys.getenv("TOKEN"))

send <- function(method, address, body, ...) {
  handle <- new_handle(customrequest = method, postfields = toJSON(body, auto_unbox = TRUE))
  handle_setheaders(handle, Authorization = authorization, ...)
  answer <- curl_fetch_memory(address, handle)
  if (answer$status_code >= 300) stop(rawToChar(answer$content))
  list(headers = parse_headers_list(answer$headers), body = fromJSON(rawToChar(answer$content)))
}

well <- list(
  type = "Feature",
  geometry = list(type = "Point", coordinates = c(-111.09, 34.05)),
  properties = list(name = "Well 7", type = "water", status = "operational")
)
items <- paste0(server, "/ogc/", map_id, "/collections/assets.points/items")
added <- send("POST", items, well, "Content-Type" = "application/geo+json")$headers

change <- list(properties = list(status = "offline"))
changed <- send("PATCH", added$location, change,
  "Content-Type" = "application/merge-patch+json", "If-Match" = added$etag
)
str(changed$body$properties)
