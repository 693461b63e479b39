// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.command;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The commands that start this program again, with the same Java. */
public final class ThisProgram {

    private ThisProgram() {}

    /** The folder for the state of this program and of all servers of this user. */
    public static Path state(Map<String, String> env) {
        var state = env.getOrDefault("XDG_STATE_HOME", "");
        var base = state.isEmpty() ? Path.of(System.getProperty("user.home"), ".local", "state") : Path.of(state);
        return base.resolve("longhaul");
    }

    /**
     * The command, to which arguments are appended.
     *
     * @param kind the class archive to start from, where there is one: {@code serve}, {@code stdio} or {@code call}
     */
    public static List<String> command(String kind) {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var classes = System.getProperty("java.class.path");
        var command = new ArrayList<>(List.of(java, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        var archives = System.getProperty("longhaul.archives");
        if (archives != null) {
            command.addAll(List.of(archives + kind + ".archive", "-Xlog:disable"));
        }
        for (var name : List.of("org.sqlite.lib.path", "org.sqlite.lib.name")) {
            var value = System.getProperty(name);
            if (value != null) {
                command.add("-D" + name + "=" + value);
            }
        }
        if (classes.endsWith(".jar") && !classes.contains(File.pathSeparator)) {
            command.addAll(List.of("-jar", classes));
        } else {
            command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", classes, "io.longhaul.cli.Main"));
        }
        return command;
    }
}
