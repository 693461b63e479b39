// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.file.ServerFile.Checked;
import io.longhaul.file.tree.Mistake;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code longhaul check} says of the headers and the authorization of servers behind. */
class UpstreamRightsTest {
    private static final String AUTH = "auth: {issuer: 'https://login.example.com', clientId: g, ";

    @TempDir
    private Path folder;

    private Checked check(String fields, String more) throws IOException {
        var yaml = "upstreams: {b: {url: 'http://127.0.0.1:1/mcp', " + fields + "}}\n" + more;
        return ServerFile.check(Files.writeString(folder.resolve("tools.yaml"), yaml), Map.of("SECRET", "s"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Host", "content-length", "Connection"})
    void a_header_of_the_connection_is_refused(String name) throws IOException {
        assertThat(check("headers: {" + name + ": 'x'}", "").mistakes())
                .extracting(Mistake::problem)
                .containsExactly("is no header that can be set");
    }

    @ParameterizedTest
    @ValueSource(strings = {"headers: {X-User: '{caller.subject}'}", AUTH + "secretEnv: SECRET, callers: exchange}"})
    void what_needs_callers_with_a_name_warns_where_the_file_has_none(String fields) throws IOException {
        var checked = check(fields, "");
        assertThat(checked.mistakes()).isEmpty();
        assertThat(checked.warnings())
                .extracting(Mistake::problem)
                .containsExactly("needs callers with an authorization; others are refused");
        var auth = "auth: {resource: 'http://127.0.0.1:1/mcp', issuer: 'https://login.example.com'}";
        assertThat(check(fields, auth).warnings()).isEmpty();
        assertThat(check("headers: {X-User: fixed}", "").warnings()).isEmpty();
    }

    @Test
    void a_secret_that_is_not_there_is_warned_of() throws IOException {
        assertThat(check(AUTH + "secretFile: none}", "").warnings())
                .extracting(Mistake::text)
                .singleElement()
                .asString()
                .contains(
                        "upstreams.b.auth.secretFile: " + folder.resolve("none") + " cannot be read. Write the secret");
        assertThat(check(AUTH + "secretEnv: NONE}", "").warnings())
                .extracting(Mistake::problem)
                .containsExactly("is a variable that is not set here");
        Files.writeString(folder.resolve("none"), "s3cret");
        assertThat(check(AUTH + "secretFile: none}", "").warnings()).isEmpty();
        assertThat(check(AUTH + "secretEnv: SECRET}", "").warnings()).isEmpty();
    }

    @Test
    void the_key_of_the_gateway_is_one_and_stands_alone() throws IOException {
        Files.writeString(folder.resolve("key.pem"), "no key");
        assertThat(check(AUTH + "keyFile: key.pem}", "").mistakes())
                .singleElement()
                .extracting(Mistake::problem)
                .asString()
                .endsWith("key.pem is no PKCS#8 key of RSA, EC or Ed25519 without a password");
        assertThat(check(AUTH + "keyFile: key.pem, secretEnv: SECRET}", "").mistakes())
                .extracting(Mistake::problem)
                .containsExactly("stands beside a secret");
        assertThat(check(AUTH + "}", "").mistakes())
                .extracting(Mistake::problem)
                .containsExactly("does not say by what the gateway proves who it is");
    }
}
