// SPDX-License-Identifier: Apache-2.0
package io.longhaul.oauth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ChallengesTest {

    @Test
    void a_challenge_names_what_the_token_has_but_for_the_scope_of_refresh_tokens() {
        assertThat(new Challenges(null, Set.of("mcp"))
                        .insufficient(List.of("write"), List.of("read", "offline_access")))
                .isEqualTo("Bearer error=\"insufficient_scope\", scope=\"mcp read write\"");
    }
}
