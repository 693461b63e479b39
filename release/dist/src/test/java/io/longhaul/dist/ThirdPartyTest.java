// SPDX-License-Identifier: Apache-2.0
package io.longhaul.dist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What others wrote and we ship. A new library fails here, until somebody has looked at it, and has added it to the
 * list of the release.
 */
class ThirdPartyTest {
    /** Licenses that ask for no more than a notice. */
    private static final Set<String> ALLOWED = Set.of("Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "MIT");

    private static String read(String file) throws IOException {
        try (var zip = new ZipFile(Release.ZIP.toFile())) {
            var entry = zip.stream()
                    .filter(each -> each.getName().matches("longhaul-[^/]+/" + file))
                    .findFirst()
                    .orElseThrow(() -> new IOException("there is no " + file + " in the zip"));
            try (var in = zip.getInputStream(entry)) {
                return new String(in.readAllBytes(), UTF_8);
            }
        }
    }

    private static List<JsonNode> components() throws IOException {
        var inventory = JsonMapper.shared().readTree(read("sbom.json"));
        return StreamSupport.stream(inventory.get("components").spliterator(), false)
                .toList();
    }

    private static boolean isOurs(JsonNode component) {
        return component.get("group").asString().equals("io.longhaul");
    }

    /** Such as {@code org.slf4j:slf4j-api MIT}. */
    private static String line(JsonNode component) {
        var licenses = StreamSupport.stream(component.get("licenses").spliterator(), false)
                .map(license -> license.at("/license/id").asString("without an SPDX license"))
                .collect(Collectors.joining(" OR "));
        return component.get("group").asString() + ":" + component.get("name").asString() + " " + licenses;
    }

    @Test
    void each_library_of_the_release_is_on_its_list_with_its_license_and_no_other_one_is() throws IOException {
        var listed = read("THIRD-PARTY\\.txt")
                .lines()
                .filter(line -> line.matches("\\S+:\\S+ +\\S.*"))
                .map(line -> line.replaceAll(" +", " "))
                .toList();
        assertThat(components().stream().filter(each -> !isOurs(each)).map(ThirdPartyTest::line))
                .containsExactlyInAnyOrderElementsOf(listed);
        assertThat(listed)
                .allSatisfy(line -> assertThat(
                                List.of(line.substring(line.indexOf(' ') + 1).split(" OR ")))
                        .containsAnyElementsOf(ALLOWED));
    }

    @Test
    void the_inventory_has_each_jar_of_the_release_with_its_digest() throws IOException {
        var jars = components().stream()
                .map(each ->
                        each.get("name").asString() + "-" + each.get("version").asString() + ".jar")
                .toList();
        try (var zip = new ZipFile(Release.ZIP.toFile())) {
            assertThat(zip.stream().map(entry -> entry.getName().replaceFirst(".*/", "")))
                    .filteredOn(name -> name.endsWith(".jar"))
                    .containsExactlyInAnyOrderElementsOf(jars);
        }
        assertThat(components())
                .filteredOn(each -> !isOurs(each))
                .allSatisfy(each -> assertThat(each.get("hashes").toString()).contains("SHA-256"));
    }
}
