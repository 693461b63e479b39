// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import io.longhaul.cli.Cli;
import io.longhaul.cli.data.DataFolder;
import io.longhaul.cli.server.FileServer;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.file.ServerFile;
import io.longhaul.store.jdbc.DataKeys;
import io.longhaul.transport.http.Http;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A file of tools that this process serves over HTTP, as {@code longhaul serve} does. */
public final class ServedFile implements AutoCloseable {
    private final FileServer server;
    private final String url;

    private ServedFile(FileServer server, String url) {
        this.server = server;
        this.url = url;
    }

    /** Serves a file at a port of this machine; 0 for any. */
    public static ServedFile at(int port, Path tools, Path data) throws IOException {
        var http = Http.onPort(port);
        var file = ServerFile.read(tools);
        file.limits().apply(http);
        var server = FileServer.start(file, new DataFolder(data, DataKeys.NONE), http);
        return new ServedFile(server, http.url().toString());
    }

    public String url() {
        return url;
    }

    /** Ends the live tasks first: what a command still writes would be in the way of those who delete the folder. */
    public void closeWithTasks() {
        var user = TestTerminal.silent().terminal();
        new Cli(user).run(List.of("tasks", "cancel", url, "--state", "live", "--yes"));
        close();
    }

    @Override
    public void close() {
        server.close();
    }
}
