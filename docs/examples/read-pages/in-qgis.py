import os
from qgis.core import QgsApplication, QgsVectorLayer

server = os.environ.get("SERVER", "http://localhost:3000")
map_id = os.environ.get("MAP", "pine-ridge")

# The QGIS console already has one.
if not QgsApplication.instance():
    application = QgsApplication([], False)
    application.initQgis()

# QGIS follows the pages by itself.
source = f"url='{server}/ogc/{map_id}' typename='parcels'"
layer = QgsVectorLayer(source, "Parcels", "OAPIF")
for feature in layer.getFeatures():
    print(feature["id"], feature["name"], sep="\t")
