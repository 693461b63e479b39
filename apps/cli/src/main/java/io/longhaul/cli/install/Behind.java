// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.install;

import io.longhaul.cli.command.ThisProgram;
import io.longhaul.cli.data.DataFolder;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.text.JsonText;
import io.longhaul.engine.store.PrivateFiles;
import io.longhaul.file.HostServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * A gateway in place of the servers of a host. The servers move to a file of this user, which the gateway serves, and
 * from which they go back.
 *
 * @param file of the host
 * @param kept the file with the servers
 */
record Behind(HostFile file, Path kept) {
    /** What the host calls the gateway. */
    static final String NAME = "longhaul-gateway";

    private static final String SERVERS = "mcpServers";

    /** @throws UsageException where the host has its servers in another form than JSON */
    static Behind of(HostFile file, Terminal terminal) {
        if (!(file.host().edit() instanceof JsonEdit)) {
            throw new UsageException(file.host().title() + " does not keep its servers as JSON. Write upstreams: into a"
                    + " file, and install that.");
        }
        var path = file.path().toAbsolutePath().normalize();
        var mark = DataFolder.mark(path.toString());
        return new Behind(
                new HostFile(file.host(), path),
                ThisProgram.state(terminal.env())
                        .resolve("behind-" + file.host().word() + "-" + mark + ".json"));
    }

    boolean isThere() {
        return Files.exists(kept);
    }

    /** The entry of the gateway, which the host starts. */
    ObjectNode entry(String program) {
        return file.host().started(NAME, List.of(program, "gateway", kept.toString()));
    }

    /** The servers that the host starts itself. */
    ObjectNode servers() throws IOException {
        var servers = file.servers();
        if (servers.remove(NAME) != null && !isThere()) {
            throw new UsageException(file.path() + " has another server " + NAME + ". Give it another name.");
        }
        if (servers.isEmpty()) {
            throw new UsageException("there are no servers in " + file.path()
                    + (isThere() ? " that are not behind the gateway already." : "."));
        }
        return servers;
    }

    /** Moves the servers behind the gateway: their file is written first, so that none is lost. */
    void put(String program) throws IOException {
        var servers = servers();
        var whole = JsonText.object().put(HostServers.OF, file.path().toString());
        var all = whole.putObject(SERVERS);
        if (isThere()) {
            all.setAll(HostFile.members(Files.readString(kept), SERVERS));
        } else {
            PrivateFiles.createFolder(kept.getParent());
            PrivateFiles.createFile(kept);
        }
        all.setAll(servers);
        HostFile.write(kept, JsonText.pretty(whole) + "\n");
        var gateway = JsonText.object();
        gateway.set(NAME, entry(program));
        file.exchange(servers.propertyNames().stream().toList(), gateway);
    }

    /** Puts the servers back, beside those that the host has got since. */
    List<String> restore() throws IOException {
        var servers = HostFile.members(Files.readString(kept), SERVERS);
        var names = servers.propertyNames().stream().toList();
        servers.remove(file.servers().propertyNames().stream().toList());
        file.exchange(List.of(NAME), servers);
        Files.delete(kept);
        return names;
    }
}
