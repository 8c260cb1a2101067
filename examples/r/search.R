# Searches scenes with rstac and reads a band with terra. SWATH_URL and SWATH_TOKEN name service and user.
# install.packages(c("rstac", "httr", "terra"))
library(rstac)

token <- httr::add_headers(Authorization = paste("Bearer", Sys.getenv("SWATH_TOKEN")))

items <- stac(paste0(Sys.getenv("SWATH_URL"), "/stac")) |>
  stac_search(collections = "local.uploads", limit = 100) |>
  post_request(token) |>
  items_fetch(token)

print(items_datetime(items))
print(items_assets(items))

# The addresses of assets are signed: no header is sent.
red <- items$features[[1]]$assets[["red"]]$href
if (!is.null(red)) print(terra::rast(paste0("/vsicurl/", red)))
