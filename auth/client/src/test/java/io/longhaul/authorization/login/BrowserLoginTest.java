// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.authorization.discovery.AuthorizationServer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which answers to a login are used: the table of the specification. */
class BrowserLoginTest {

    private static AuthorizationServer server(boolean namesIssuer) throws Exception {
        return AuthorizationServer.read(
                        "https://as.example",
                        "{\"issuer\":\"https://as.example\",\"authorization_response_iss_parameter_supported\":"
                                + namesIssuer + "}")
                .orElseThrow();
    }

    private static Map<String, List<String>> answer(String issuer, String name, String value) {
        var answer = new HashMap<String, List<String>>();
        answer.put(name, List.of(value));
        if (issuer != null) {
            answer.put("iss", List.of(issuer));
        }
        return answer;
    }

    @ParameterizedTest
    @CsvSource({"true, https://as.example", "false, https://as.example", "false, "})
    void a_code_of_the_right_issuer_is_used(boolean namesIssuer, String issuer) throws Exception {
        assertThat(BrowserLogin.code(server(namesIssuer), answer(issuer, "code", "c"))
                        .getValue())
                .isEqualTo("c");
    }

    @ParameterizedTest
    @CsvSource({
        "true, ",
        "true, https://evil.example",
        "true, https://as.example/",
        "true, https://AS.example",
        "true, https://as.example:443",
        "false, https://evil.example",
        "false, https://as.example/"
    })
    void nothing_else_is_used_and_no_error_of_it_is_shown(boolean namesIssuer, String issuer) {
        assertThatThrownBy(() -> BrowserLogin.code(server(namesIssuer), answer(issuer, "code", "c")))
                .hasMessageContaining("was not used");
        assertThatThrownBy(() -> BrowserLogin.code(server(namesIssuer), answer(issuer, "error", "call_this_number")))
                .hasMessageContaining("was not used")
                .hasMessageNotContaining("number");
    }

    @Test
    void an_answer_without_one_code_is_an_error() {
        assertThatThrownBy(() -> BrowserLogin.code(server(false), Map.of())).hasMessageContaining("no code");
        assertThatThrownBy(() -> BrowserLogin.code(server(false), Map.of("code", List.of(""))))
                .hasMessageContaining("no code");
        assertThatThrownBy(() -> BrowserLogin.code(server(false), Map.of("code", List.of("a", "b"))))
                .hasMessageContaining("no code");
        assertThatThrownBy(() -> BrowserLogin.code(server(false), Map.of("error", List.of("denied"))))
                .hasMessageContaining("denied");
    }
}
