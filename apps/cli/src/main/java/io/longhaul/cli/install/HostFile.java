// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.install;

import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.text.JsonText;
import io.longhaul.file.HostServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ObjectNode;

/** The file in which a host has its servers. The rest of the file stays, and so do its permissions and a link to it. */
record HostFile(Host host, Path path) {

    /** The file in which a host of this user has its servers. */
    static HostFile own(Host host, Terminal terminal) {
        var home = Path.of(System.getProperty("user.home"));
        var system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        return new HostFile(host, host.file(home, Path.of("").toAbsolutePath(), system, terminal.env()));
    }

    /** Adds a server, or replaces the server with the same name. */
    void add(String name, ObjectNode entry) throws IOException {
        change(text -> host.edit().with(text, host.servers(), name, entry));
    }

    /** Takes a server out; false where the file has no such server. */
    boolean remove(String name) throws IOException {
        return change(text -> host.edit().without(text, host.servers(), name));
    }

    /** Its servers, by their names. */
    ObjectNode servers() throws IOException {
        return Files.exists(path) ? members(Files.readString(path), host.servers()) : JsonText.object();
    }

    /**
     * The members of an object in JSON with comments.
     *
     * @throws UsageException where the text is no JSON
     */
    static ObjectNode members(String text, String name) {
        try {
            var members = HostServers.tree(text.isBlank() ? "{}" : text).path(name);
            return members.isObject() ? (ObjectNode) members : JsonText.object();
        } catch (IllegalArgumentException e) {
            throw new UsageException("the file of the host is left as it is: " + e.getMessage() + ".");
        }
    }

    /** Takes servers out, and adds others, in their order. */
    void exchange(List<String> out, ObjectNode added) throws IOException {
        change(text -> {
            var changed = text;
            for (var name : out) {
                changed = host.edit().without(changed, host.servers(), name);
            }
            // Each is added before the others.
            for (var name : added.propertyNames().stream().toList().reversed()) {
                changed = host.edit().with(changed, host.servers(), name, (ObjectNode) added.get(name));
            }
            return changed;
        });
    }

    /** Where the file is kept as it was before this program first changed it. */
    Path backup() {
        return path.resolveSibling(path.getFileName() + ".bak");
    }

    private boolean change(UnaryOperator<String> edit) throws IOException {
        var before = Files.exists(path) ? Files.readString(path) : "";
        String after;
        try {
            after = edit.apply(before);
        } catch (IllegalArgumentException e) {
            throw new UsageException(path + " is left as it is, since " + e.getMessage() + ". Change it by hand.");
        }
        if (after.equals(before)) {
            return false;
        }
        Files.createDirectories(path.toAbsolutePath().getParent());
        if (Files.exists(path) && !Files.exists(backup())) {
            Files.copy(path, backup(), StandardCopyOption.COPY_ATTRIBUTES);
        }
        write(path, after);
        return true;
    }

    /** Writes a file as a whole, with the permissions that it has. */
    static void write(Path path, String text) throws IOException {
        boolean isThere = Files.exists(path);
        var real = isThere ? path.toRealPath() : path.toAbsolutePath();
        var next = Files.createTempFile(real.getParent(), real.getFileName().toString(), ".new");
        try {
            Files.writeString(next, text);
            if (isThere && Files.getFileStore(real).supportsFileAttributeView(PosixFileAttributeView.class)) {
                Files.setPosixFilePermissions(next, Files.getPosixFilePermissions(real));
            }
            Files.move(next, real, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(next);
        }
    }
}
