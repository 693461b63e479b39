// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.link;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The world of a server that the gateway starts: its variables, its folder, and how long it stays without a call.
 *
 * @param variables read at each start
 * @param inherited names of variables of the gateway that the server gets, too; {@code *} for all but those of Longhaul
 * @param folder    null for that of the gateway
 * @param idle      how long the server stays without a call; null for as long as the gateway
 */
public record ProcessWorld(
        Map<String, Callable<String>> variables,
        List<String> inherited,
        @Nullable Path folder,
        @Nullable Duration idle) {

    static final ProcessWorld BARE = new ProcessWorld(Map.of(), List.of(), null, null);

    private static final String ALL = "*";
    private static final String OWN = "LONGHAUL_";

    /** What a process needs to find its programs, its home and its language, and nothing that may be secret. */
    private static final Set<String> USUAL = Set.of(
            "PATH",
            "HOME",
            "USER",
            "LOGNAME",
            "SHELL",
            "TERM",
            "TMPDIR",
            "TZ",
            "LANG",
            "LANGUAGE",
            "LC_ALL",
            "LC_CTYPE",
            "APPDATA",
            "COMSPEC",
            "HOMEDRIVE",
            "HOMEPATH",
            "LOCALAPPDATA",
            "PATHEXT",
            "PROCESSOR_ARCHITECTURE",
            "PROGRAMFILES",
            "SYSTEMDRIVE",
            "SYSTEMROOT",
            "TEMP",
            "TMP",
            "USERNAME",
            "USERPROFILE");

    /**
     * A process in this world, not started yet.
     *
     * @param values the values of its variables
     */
    ProcessBuilder process(List<String> command, Map<String, String> values) {
        var process = new ProcessBuilder(command);
        process.environment().keySet().removeIf(name -> !isPassedOn(name));
        process.environment().putAll(values);
        return folder == null ? process : process.directory(folder.toFile());
    }

    private boolean isPassedOn(String name) {
        return USUAL.contains(name.toUpperCase(Locale.ROOT))
                || inherited.contains(name)
                || inherited.contains(ALL) && !name.startsWith(OWN);
    }
}
