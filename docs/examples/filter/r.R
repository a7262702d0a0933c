library(jsonlite)

server <- Sys.getenv("SERVER", "http://localhost:3000")
map_id <- Sys.getenv("MAP", "pine-ridge")

address <- paste0(
  server, "/ogc/", map_id, "/collections/assets.points/items?bbox=-111.2,34,-111,34.1&filter=",
  URLencode("status <> 'operational' AND type IN ('water', 'road')", reserved = TRUE)
)
page <- fromJSON(address)
print(data.frame(id = page$features$id, status = page$features$properties$status))
