import os
from qgis.core import QgsApplication, QgsFeatureRequest, QgsRectangle, QgsVectorLayer

server = os.environ.get("SERVER", "http://localhost:3000")
map_id = os.environ.get("MAP", "pine-ridge")

# The QGIS console already has one.
if not QgsApplication.instance():
    application = QgsApplication([], False)
    application.initQgis()

# restrictToRequestBBOX requests only features within the box.
source = f"url='{server}/ogc/{map_id}' typename='assets.points' restrictToRequestBBOX='1'"
layer = QgsVectorLayer(source, "Assets", "OAPIF")
question = QgsFeatureRequest(QgsRectangle(-111.2, 34, -111, 34.1))
question.setFilterExpression("status <> 'operational' AND type IN ('water', 'road')")
for feature in layer.getFeatures(question):
    print(feature["id"], feature["status"], sep="\t")
