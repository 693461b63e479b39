// SPDX-License-Identifier: Apache-2.0
/** Runs jobs of HTTP APIs: {@link io.longhaul.backend.http.HttpJob} describes the requests to an API. */
@SuppressWarnings("module") // The module that the qualified export names is built later.
module io.longhaul.backend.http {
    requires static transitive org.jspecify;
    requires transitive io.longhaul.engine;
    requires transitive tools.jackson.databind;
    requires java.net.http;
    requires org.slf4j;

    exports io.longhaul.backend.http;
    exports io.longhaul.backend.http.address;
    exports io.longhaul.backend.http.exchange to
            io.longhaul.file;
    exports io.longhaul.backend.http.request to
            io.longhaul.file;
}
