import os
from qgis.core import (
    QgsApplication, QgsAuthMethodConfig, QgsFeature, QgsGeometry, QgsPointXY, QgsVectorLayer, QgsVectorLayerUtils
)

server = os.environ.get("SERVER", "http://localhost:3000")
map_id = os.environ.get("MAP", "pine-ridge")
token = os.environ["TOKEN"]

# The QGIS console already has one.
if not QgsApplication.instance():
    application = QgsApplication([], False)
    application.initQgis()

source = f"url='{server}/ogc/{map_id}' typename='assets.points' username='token' password='{token}'"
layer = QgsVectorLayer(source, "Assets", "OAPIF")


def save():
    if not layer.commitChanges(stopEditing=False):
        raise SystemExit("\n".join(layer.commitErrors()))


layer.startEditing()
place = QgsGeometry.fromPointXY(QgsPointXY(-111.09, 34.05))
values_by_name = {"name": "Well 7", "type": "water", "status": "operational"}
values = {layer.fields().indexOf(name): value for name, value in values_by_name.items()}
layer.addFeature(QgsVectorLayerUtils.createFeature(layer, place, values))
save()

status = layer.fields().indexOf("status")
for well in layer.getFeatures("name = 'Well 7'"):
    layer.changeAttributeValue(well.id(), status, "offline")
save()
