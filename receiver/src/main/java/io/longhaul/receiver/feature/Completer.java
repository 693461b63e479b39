package io.longhaul.receiver.feature;

import java.util.List;
import java.util.Map;

/** Knows what an argument could be. Thread-safe. */
@FunctionalInterface
public interface Completer {

    /**
     * What goes on from what was typed, best first.
     *
     * @param typed  what is there already; may be empty
     * @param others what other arguments or variables were given, by their names
     */
    List<String> complete(String typed, Map<String, String> others) throws Exception;
}
