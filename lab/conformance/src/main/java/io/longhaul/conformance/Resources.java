// SPDX-License-Identifier: Apache-2.0
package io.longhaul.conformance;

import io.longhaul.server.Caching;
import io.longhaul.server.McpServerBuilder;
import io.longhaul.server.Resource;
import io.longhaul.server.ResourceTemplate;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;

/** Text, bytes, one that is watched, and a template. */
final class Resources {

    private Resources() {}

    static void addTo(McpServerBuilder fixture) {
        fixture.resource(Resource.define("test://static-text")
                        .description("A text that never changes.")
                        .mimeType("text/plain")
                        .caching(Caching.publicScope(Duration.ofHours(1)))
                        .text("This is the content of the static text resource."))
                .resource(Resource.define("test://static-binary")
                        .description("A picture of one point.")
                        .mimeType("image/png")
                        .blob(Base64.getDecoder().decode(Samples.PNG)))
                .resource(Resource.define("test://watched-resource")
                        .description("A text to subscribe to.")
                        .mimeType("text/plain")
                        .caching(Caching.NEVER)
                        .text("This is watched."))
                .resourceTemplate(ResourceTemplate.define("test://template/{id}/data")
                        .description("Data by its id.")
                        .mimeType("application/json")
                        .handler((request, call) -> data(request.variable("id"))));
    }

    private static Map<String, Object> data(String id) {
        return Map.of("id", id, "templateTest", true, "data", "Data for ID: " + id);
    }
}
