// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.transport.Principal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrincipalNameTest {

    private static final String ISSUER = "https://login.example.com/a";

    @ParameterizedTest
    @CsvSource({
        "ada,,https://login.example.com/a#sub=ada",
        ",ci,https://login.example.com/a#client=ci",
        "ada,ci,https://login.example.com/a#sub=ada&client=ci",
        "a&client=b,,https://login.example.com/a#sub=a%26client%3Db",
        "'ada #1+',c d,https://login.example.com/a#sub=ada+%231%2B&client=c+d",
    })
    void a_name_says_again_what_it_was_made_of(String subject, String client, String text) {
        var name = new PrincipalName(ISSUER, subject, client);
        assertThat(name.principal()).isEqualTo(Principal.named(text));
        assertThat(PrincipalName.of(name.principal())).contains(name);
    }

    @Test
    void an_api_key_and_a_user_of_a_container_have_no_issuer() {
        var key = PrincipalName.ofKey("ci").principal();
        assertThat(key).isEqualTo(Principal.named("api-key#ci"));
        assertThat(PrincipalName.of(key)).contains(new PrincipalName(null, "ci", null));
        assertThat(PrincipalName.of(Principal.named("ada"))).contains(new PrincipalName(null, "ada", null));
    }

    @Test
    void nobody_is_named_without_an_authorization() {
        assertThat(PrincipalName.of(Principal.LOCAL)).isEmpty();
        assertThat(PrincipalName.of(Principal.ANONYMOUS)).isEmpty();
    }
}
