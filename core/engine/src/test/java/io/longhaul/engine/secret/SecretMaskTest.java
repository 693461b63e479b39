// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.secret;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
    void a_token_is_masked_however_json_writes_it(String secret, String written) {
        var response = "{\"message\":\"the token " + written + " and \\/ \\u002b are\\nno \\\"good\\\"\"}";
        var masked = SecretMask.of(List.of(secret)).mask(response.getBytes(UTF_8));
        assertThat(new String(masked, UTF_8)).isEqualTo(response.replace(written, "***"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pa\\\"ss\\\\wö/rd🚂",
                "pa\\\"ss\\\\w\\u00f6\\/rd\\ud83d\\uDE82",
                "\\u0070a\\u0022ss\\u005Cw\\u00F6\\u002fr\\u0064🚂",
            })
    void a_secret_is_masked_however_json_writes_it(String written) {
        var mask = SecretMask.of(List.of("pa\"ss\\wö/rd🚂", "first line\nsecond\tline"));
        var output = "{\"a\":\"\\u00e9\\\"" + written + "\\\\é\",\"b\":\"first line\\nsecond\\tline\"}";
        assertThat(new String(mask.mask(output.getBytes(UTF_8)), UTF_8))
                .isEqualTo("{\"a\":\"\\u00e9\\\"***\\\\é\",\"b\":\"***\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pa\\\"s", "pa\\u0022", "pa\\\"ss\\\\w\\u00f6\\/", "pa\\\"ss\\", "pa\\\"ss\\u00", "pa\"ss"})
    void the_beginning_of_a_secret_at_a_cut_is_masked_however_json_writes_it(String part) {
        var mask = SecretMask.of(List.of("pa\"ss\\wö/rd"));
        assertThat(new String(mask.maskHead(("{\"a\":\"" + part).getBytes(UTF_8)), UTF_8))
                .isEqualTo("{\"a\":\"***");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\u00f6\\/rd", "ö/rd", "\\/rd"})
    void the_end_of_a_secret_behind_a_cut_is_masked_however_json_writes_it(String part) {
        var mask = SecretMask.of(List.of("pa\"ss\\wö/rd"));
        assertThat(new String(mask.maskTail((part + "\"}").getBytes(UTF_8)), UTF_8))
                .isEqualTo("***\"}");
    }

    @Test
    void without_secrets_nothing_is_masked() {
        assertThat(new String(SecretMask.NONE.maskHead("s3".getBytes(UTF_8)), UTF_8))
                .isEqualTo("s3");
        assertThat(new String(SecretMask.of(List.of("")).mask("\\u0061".getBytes(UTF_8)), UTF_8))
                .isEqualTo("\\u0061");
    }
}
