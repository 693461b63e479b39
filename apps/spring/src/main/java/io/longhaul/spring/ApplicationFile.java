// SPDX-License-Identifier: Apache-2.0
package io.longhaul.spring;

import io.longhaul.engine.store.TaskStore;
import io.longhaul.file.FilePlace;
import io.longhaul.file.FileTools;
import io.longhaul.file.ServerFile;
import io.longhaul.server.McpServer;
import io.longhaul.server.McpServerBuilder;
import io.longhaul.transport.servlet.McpServlet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.springframework.core.io.Resource;
import org.springframework.util.ClassUtils;

/**
 * The file of tools of an application, which its server serves beside the beans. The file is read at each start.
 *
 * @param paths the patterns of the paths of triggers, callbacks and downloads, as far as the file has these
 */
record ApplicationFile(Resource source, Path jobs, LonghaulProperties.Storage storage, List<String> paths) {

    private static final String LIBRARY = "io.longhaul.file.ServerFile";

    static ApplicationFile of(Resource source, Path jobs, LonghaulProperties.Storage storage) {
        if (!ClassUtils.isPresent(LIBRARY, null)) {
            throw new IllegalStateException(
                    "longhaul.file needs io.longhaul:longhaul-file: add it to the dependencies of the application");
        }
        var paths = FileTools.paths(read(source)).stream().map(begin -> begin + "*");
        return new ApplicationFile(source, jobs, storage, paths.toList());
    }

    /** A server that is not started yet, with what the file offers. */
    record Added(FileTools tools) implements AutoCloseable {

        McpServer serve(McpServlet servlet) {
            return tools.serve(servlet.site(tools.site()));
        }

        /** Ends the server, too. */
        @Override
        public void close() {
            tools.close();
        }
    }

    Added addTo(McpServerBuilder server, TaskStore store) {
        try {
            return new Added(read(source).addTo(server, place(store)));
        } catch (IOException e) {
            throw new UncheckedIOException(source + " cannot be served", e);
        }
    }

    private static ServerFile read(Resource source) {
        try {
            if (source.isFile()) {
                return ServerFile.read(source.getFile().toPath());
            }
            var name = Objects.requireNonNullElse(source.getFilename(), "tools.yaml");
            return ServerFile.read(Path.of(name).toAbsolutePath(), source.getContentAsByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(source + " cannot be read", e);
        }
    }

    private FilePlace place(TaskStore store) {
        var place = FilePlace.of(store, jobs.toAbsolutePath());
        var named = storage.node() == null ? place : place.node(storage.node());
        return storage.dataKeys() == null ? named : named.sealed();
    }
}
