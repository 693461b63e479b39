// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.install;

import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.text.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** The file in which a host has its servers. */
record HostFile(Host host, Path path) {

    /** The configuration of only one server, in the form of the host. */
    static ObjectNode configuration(Host host, String name, List<String> command) {
        var whole = JsonText.object();
        whole.putObject(host.servers()).set(name, server(host, command));
        return whole;
    }

    private static ObjectNode server(Host host, List<String> command) {
        var server = JsonText.object();
        if (host.isTyped()) {
            server.put("type", "stdio");
        }
        server.put("command", command.getFirst());
        var arguments = server.putArray("args");
        command.subList(1, command.size()).forEach(arguments::add);
        return server;
    }

    /**
     * Adds a server, or replaces the server with the same name. The rest of the file stays, and so do its permissions
     * and a link to it. A backup of the earlier file is kept beside it.
     *
     * @return the path of the backup, or this file's own path where there was no earlier file
     */
    Path add(String name, List<String> command) throws IOException {
        var whole = Files.exists(path) ? read() : JsonText.object();
        var known = whole.get(host.servers());
        if (known != null && !known.isObject()) {
            throw new UsageException(path + " has a \"" + host.servers() + "\" that is no object. Mend it first.");
        }
        var servers = known == null ? whole.putObject(host.servers()) : (ObjectNode) known;
        servers.set(name, server(host, command));
        Files.createDirectories(path.toAbsolutePath().getParent());
        var kept = path;
        if (Files.exists(path)) {
            kept = path.resolveSibling(path.getFileName() + ".bak");
            Files.copy(path, kept, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
        }
        replace(JsonText.pretty(whole) + "\n");
        return kept;
    }

    private void replace(String text) throws IOException {
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

    private ObjectNode read() throws IOException {
        try {
            if (JsonText.read(Files.readString(path)) instanceof ObjectNode whole) {
                return whole;
            }
        } catch (IllegalArgumentException e) {
            throw new UsageException(path + " is no plain JSON (" + e.getMessage()
                    + "), so that it is left as it is. Add this by hand.");
        }
        throw new UsageException(path + " is no JSON object, so that it is left as it is. Add this by hand.");
    }
}
