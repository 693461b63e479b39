// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file;

import io.longhaul.engine.store.TaskStore;
import io.longhaul.receiver.observe.ServerEvent;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Where the tools of a file run. Immutable.
 *
 * @param store     keeps the tasks; the server closes it
 * @param folder    for the output of commands, created where it does not exist; one process at a time uses it
 * @param env       the variables with secrets, and those that commands inherit
 * @param node      the name of the server among those of a shared store; empty where the store is not shared
 * @param isSealed  whether the store is sealed: the files of a command, which are not, are then removed early
 * @param observers are told of notices that no recipient took
 */
public record FilePlace(
        TaskStore store,
        Path folder,
        Map<String, String> env,
        Optional<String> node,
        boolean isSealed,
        Consumer<ServerEvent> observers) {

    /** A place with a store of its own and the variables of this process. */
    public static FilePlace of(TaskStore store, Path folder) {
        return new FilePlace(store, folder, System.getenv(), Optional.empty(), false, event -> {});
    }

    /** This place at a server with a name among those of a shared store. */
    public FilePlace node(String name) {
        return new FilePlace(store, folder, env, Optional.of(name), isSealed, observers);
    }

    /** This place with a store that is sealed. */
    public FilePlace sealed() {
        return new FilePlace(store, folder, env, node, true, observers);
    }
}
