"""TiTiler peer: the stock COG tiler, served by uvicorn with as many workers as Swath has."""
from fastapi import FastAPI
from titiler.core.factory import TilerFactory

app = FastAPI()
app.include_router(TilerFactory(router_prefix="/cog").router, prefix="/cog")
