server <- Sys.getenv("SERVER", "http://localhost:3000")
map_id <- Sys.getenv("MAP", "pine-ridge")
authorization <- paste("Bearer", Sys.getenv("TOKEN"))

address <- paste0(server, "/api/maps/", map_id, "/export?format=csv&kind=parcel&columns=id,name,owner,area&sort=name")
# The byte order mark tells spreadsheets that it is UTF-8.
file <- url(address, headers = c(Authorization = authorization), encoding = "UTF-8-BOM")
parcels <- read.csv(file)
print(parcels)
