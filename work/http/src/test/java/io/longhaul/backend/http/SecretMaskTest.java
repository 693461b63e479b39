// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class SecretMaskTest {

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "ab/cd+ef, ab/cd+ef",
                "ab/cd+ef, ab\\/cd+ef",
                "ab/cd+ef, ab/cd\\u002bef",
                "ab/cd+ef, ab\\u002fcd\\u002Bef",
                "ab/cd+ef, \\u0061\\u0062\\/cd+e\\u0066",
                "a\"b\\c,    a\\\"b\\\\c",
                "a\"b\\c,    a\\u0022b\\u005Cc",
                "a\tb,      a\\tb"
            })
    void a_secret_is_masked_however_json_writes_it(String secret, String written) {
        var answer = "{\"message\":\"the token " + written + " and \\/ \\u002b are\\nno \\\"good\\\"\"}";
        var masked = SecretMask.of(List.of(secret)).mask(answer.getBytes(UTF_8));
        assertThat(JsonMapper.shared().readTree(masked).path("message").asString())
                .isEqualTo("the token *** and / + are\nno \"good\"");
    }
}
