library(jsonlite)

server <- Sys.getenv("SERVER", "http://localhost:3000")
map_id <- Sys.getenv("MAP", "pine-ridge")

address <- paste0(server, "/ogc/", map_id, "/collections/parcels/items?limit=1000")
while (!is.null(address)) {
  page <- fromJSON(address, simplifyVector = FALSE)
  for (feature in page$features) cat(feature$id, feature$properties$name, sep = "\t", fill = TRUE)
  following <- Filter(function(link) link$rel == "next", page$links)
  address <- if (length(following) > 0) following[[1]]$href
}
