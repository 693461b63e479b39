// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A server without workflows, in a release without the client of Temporal. */
class WithoutClientTest {

    @Test
    void the_backend_opens_and_closes_without_a_class_of_the_client() throws Exception {
        assertThat(Temporal.hasClient()).isTrue();
        try (var loader = new URLClassLoader(withoutClient(), ClassLoader.getPlatformClassLoader())) {
            var temporal = loader.loadClass(Temporal.class.getName());
            assertThat(temporal.getMethod("hasClient").invoke(null)).isEqualTo(false);
            var backend = loader.loadClass(TemporalBackend.class.getName());
            var open = (AutoCloseable) backend.getMethod("create").invoke(null);
            open.close();
        }
    }

    private static URL[] withoutClient() throws Exception {
        var paths = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(path -> !path.matches(".*/(temporal|grpc|protobuf|proto-google|guava)-[^/]*jar"))
                .toList();
        var urls = new URL[paths.size()];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = Path.of(paths.get(i)).toUri().toURL();
        }
        return urls;
    }
}
