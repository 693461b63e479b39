// SPDX-License-Identifier: Apache-2.0
/** Metrics, health and traces of a server, with Micrometer and OpenTelemetry. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // The names that their manifests declare.
module io.longhaul.observe {
    requires static transitive org.jspecify;
    requires transitive io.longhaul.server;
    requires transitive io.opentelemetry.api;
    requires transitive micrometer.core;
    requires io.longhaul.transport.http;
    requires io.opentelemetry.context;
    requires micrometer.registry.prometheus;
    requires org.slf4j;

    exports io.longhaul.observe;
}
