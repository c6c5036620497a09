package app.plugin;

import app.model.Point;

public interface Plugin {
    String run(Point point);
}
