"""Pictures of QGIS for docs/connecting.md, taken within it: qgis --code qgis-pictures.py

Goes the way that the text tells: connects to a map with a token, adds its collections, looks at one as a table. Takes SERVER,
MAP and TOKEN from the environment, and FOLDER, where the pictures go.
"""

import os
import traceback
from array import array
from collections import Counter

from qgis.core import (
    QgsCategorizedSymbolRenderer, QgsFillSymbol, QgsLineSymbol, QgsMarkerSymbol, QgsPalLayerSettings, QgsProject,
    QgsRendererCategory, QgsSingleSymbolRenderer, QgsTextBufferSettings, QgsTextFormat, QgsVectorLayerSimpleLabeling,
)
from qgis.PyQt.QtCore import QItemSelectionModel, QTimer
from qgis.PyQt.QtGui import QColor, QImage
from qgis.PyQt.QtWidgets import (
    QAction, QApplication, QCheckBox, QDialogButtonBox, QDockWidget, QLineEdit, QMessageBox, QPushButton,
    QTabWidget, QTreeView,
)
from qgis.utils import iface

server, map_id, token = os.environ["SERVER"], os.environ["MAP"], os.environ["TOKEN"]
# What the text says, wherever the server is that is asked.
shown_address = f"http://localhost:3000/ogc/{map_id}"
window = iface.mainWindow()


def tour():
    """Goes on where what it waits for is there: a window, rows, a map that has been drawn."""
    window.resize(1280, 720)
    for name in ("Browser", "BrowserPanel2"):
        dock = window.findChild(QDockWidget, name)
        if dock:
            dock.close()

    soon(window.findChild(QAction, "mActionAddWfsLayer").trigger)
    sources = yield lambda: shown("QgsDataSourceManagerDialog")
    sources.resize(1000, 560)
    soon(part(sources, QPushButton, "btnNew").click)

    connection = yield lambda: shown("QgsWFSNewConnection")
    part(connection, QLineEdit, "txtName").setText("Pine Ridge")
    part(connection, QTabWidget, "tabAuth").setCurrentIndex(1)
    part(connection, QLineEdit, "txtUserName").setText("token")
    part(connection, QLineEdit, "txtPassword").setText(token)
    address = part(connection, QLineEdit, "txtUrl")
    address.setText(shown_address)
    keep(connection, "qgis-connection")
    address.setText(f"{server}/ogc/{map_id}")
    soon(connection.accept)

    # It says that it will keep the password as it is.
    warning = yield lambda: shown("QMessageBox")
    soon(warning.button(QMessageBox.Ok).click)
    yield lambda: not shown("QgsWFSNewConnection")
    soon(part(sources, QPushButton, "btnConnect").click)
    list_of_all = part(sources, QTreeView, "treeView")
    yield lambda: list_of_all.model().rowCount() > 0
    model = list_of_all.model()
    for row in range(model.rowCount()):
        if model.index(row, 1).data() != "assets.areas":
            list_of_all.selectionModel().select(
                model.index(row, 0), QItemSelectionModel.Select | QItemSelectionModel.Rows
            )
    for column, width in enumerate((180, 130, 240)):
        list_of_all.setColumnWidth(column, width)
    part(sources, QCheckBox, "cbxUseTitleLayerName").setChecked(True)
    keep(sources, "qgis-collections")
    soon(part(sources, QDialogButtonBox, "buttonBox").button(QDialogButtonBox.Apply).click)

    layers = yield lambda: whole({layer.name(): layer for layer in QgsProject.instance().mapLayers().values()})
    sources.close()
    style(layers)
    iface.mapCanvas().setExtent(layers["Parcels"].extent())
    iface.mapCanvas().zoomByFactor(1.05)
    iface.setActiveLayer(layers["Parcels"])
    yield is_drawn
    iface.messageBar().clearWidgets()
    keep(window, "qgis-map")

    choose_columns(layers["Parcels"])
    table = iface.showAttributeTable(layers["Parcels"])
    table.resize(1040, 402)
    yield lambda: table.isVisible()
    keep(table, "qgis-table")


def whole(layers):
    return layers if len(layers) == 4 else None


def style(layers):
    parcels = QgsFillSymbol.createSimple({"color": "120,120,120,20", "outline_color": "#7a7a7a", "outline_width": "0.3"})
    layers["Parcels"].setRenderer(QgsSingleSymbolRenderer(parcels))
    numbers = QgsPalLayerSettings()
    numbers.fieldName = "regexp_substr(\"name\", '(?:Parcel|Area) (\\\\w+)')"
    numbers.isExpression = True
    text = QgsTextFormat()
    text.setSize(8)
    text.setColor(QColor("#444444"))
    around = QgsTextBufferSettings()
    around.setEnabled(True)
    text.setBuffer(around)
    numbers.setFormat(text)
    layers["Parcels"].setLabeling(QgsVectorLayerSimpleLabeling(numbers))
    layers["Parcels"].setLabelsEnabled(True)
    roads = QgsLineSymbol.createSimple({"color": "#8a6d3b", "width": "0.7"})
    layers["Assets (lines)"].setRenderer(QgsSingleSymbolRenderer(roads))
    colors = {"operational": "#2f6b4f", "maintenance": "#d08700", "offline": "#b3261e"}
    by_status = [QgsRendererCategory(word, marker(color, "circle"), word) for word, color in colors.items()]
    layers["Assets (points)"].setRenderer(QgsCategorizedSymbolRenderer("status", by_status))
    layers["Incidents"].setRenderer(QgsSingleSymbolRenderer(marker("#d4351c", "triangle")))


def choose_columns(layer):
    """Some of them, each wide enough."""
    widths = {"id": 85, "name": 225, "owner": 245, "area": 70, "buildings": 85, "purchaseDate": 110, "zoning.type": 175}
    config = layer.attributeTableConfig()
    config.update(layer.fields())
    for index, column in enumerate(config.columns()):
        config.setColumnHidden(index, column.name not in widths)
        config.setColumnWidth(index, widths.get(column.name, -1))
    layer.setAttributeTableConfig(config)


def marker(color, shape):
    return QgsMarkerSymbol.createSimple({"name": shape, "color": color, "outline_color": "white", "size": "3.2"})


def is_drawn():
    canvas = iface.mapCanvas()
    return not canvas.isDrawing() and all(layer.featureCount() > 0 for layer in canvas.layers())


def shown(class_name):
    for widget in QApplication.topLevelWidgets():
        if widget.isVisible() and widget.metaObject().className() == class_name:
            return widget
    return None


def part(of, kind, name):
    """The one of this name that can be seen, or else any."""
    found = of.findChildren(kind, name)
    return next((one for one in found if one.isVisible()), found[0])


def soon(do):
    """A window that waits for an answer would keep the tour from going on."""
    QTimer.singleShot(0, do)


def keep(widget, name):
    """With the 256 colors that it has most of: a fifth of the bytes."""
    QApplication.processEvents()
    picture = widget.grab().toImage().convertToFormat(QImage.Format_RGB32)
    pixels = array("I", picture.constBits().asstring(picture.sizeInBytes()))
    colors = [color for color, _ in Counter(pixels).most_common(256)]
    smallest = 0
    picture.convertToFormat(QImage.Format_Indexed8, colors).save(
        os.path.join(os.environ["FOLDER"], f"{name}.png"), "PNG", smallest
    )


def go_on(steps, waits_for=None):
    try:
        found = waits_for() if waits_for else None
        if waits_for is None or found:
            waits_for = steps.send(found)
    except StopIteration:
        os._exit(0)
    except Exception:
        traceback.print_exc()
        os._exit(1)
    QTimer.singleShot(300, lambda: go_on(steps, waits_for))


QTimer.singleShot(0, lambda: go_on(tour()))
