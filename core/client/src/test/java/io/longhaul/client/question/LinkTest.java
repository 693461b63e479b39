// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.question;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinkTest {

    @ParameterizedTest
    @ValueSource(strings = {"https://example.com/x", "HTTP://example.com"})
    void an_address_of_the_web_may_be_shown_to_a_person(String url) {
        assertThat(QuestionTranslator.isWeb(url)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"//example.com/x", "example.com", "/x", "", "file:///etc/passwd", "javascript:alert(1)", "http:"
            })
    void any_other_address_is_declined(String url) {
        assertThat(QuestionTranslator.isWeb(url)).isFalse();
    }
}
