// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.call.CallerInfo;
import io.longhaul.protocol.call.PrincipalName;
import io.longhaul.protocol.transport.Permit;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.PrincipalResolver;
import io.longhaul.protocol.transport.PrincipalResolver.Resolution;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CallerTokensTest {

    private static final Principal ADA = user("ada");
    private static final long LATER = 60_000_000_000L;

    private final CallerTokens tokens = new CallerTokens();

    @BeforeEach
    void begin() {
        tokens.begin();
    }

    private static Principal user(String name) {
        return new PrincipalName("https://login.example.com", name, null).principal();
    }

    private static CallerInfo caller(Principal principal, String... scopes) {
        return new CallerInfo(principal, Set.of(scopes), null, null, Map.of());
    }

    private void hear(CallerTokens by, String token, long life, CallerInfo caller) {
        var permit = Permit.of(caller.scopes(), needed -> Optional.empty());
        PrincipalResolver all = header -> new Resolution.Granted(caller.principal(), permit, System.nanoTime() + life);
        by.heard(all).resolve(name -> Optional.of("bearer " + token).filter(text -> name.equals("Authorization")));
    }

    @Test
    void the_newest_token_of_a_caller_is_its_token() {
        hear(tokens, "first", LATER, caller(ADA));
        hear(tokens, "second", LATER, caller(ADA));
        assertThat(tokens.of(caller(ADA))).contains("second");
        assertThat(tokens.of(caller(user("bob")))).isEmpty();
    }

    @Test
    void a_token_acts_for_no_caller_with_other_scopes() {
        hear(tokens, "wide", LATER, caller(ADA, "read", "write"));
        assertThat(tokens.of(caller(ADA, "read"))).isEmpty();
        assertThat(tokens.of(caller(ADA, "write", "read"))).contains("wide");
    }

    @Test
    void a_token_that_has_expired_is_forgotten() {
        hear(tokens, "over", -1, caller(ADA));
        assertThat(tokens.of(caller(ADA))).isEmpty();
    }

    @Test
    void an_api_key_is_no_token() {
        var key = caller(PrincipalName.ofKey("ci").principal());
        hear(tokens, "lhk_x", LATER, key);
        assertThat(tokens.of(key)).isEmpty();
    }

    @Test
    void nothing_is_remembered_of_a_caller_that_is_refused_or_before_the_begin() {
        PrincipalResolver none = header -> new Resolution.Refused(401, "Bearer", "no");
        assertThat(tokens.heard(none).resolve(name -> Optional.of("Bearer x"))).isInstanceOf(Resolution.Refused.class);
        var unwanted = new CallerTokens();
        hear(unwanted, "first", LATER, caller(ADA));
        assertThat(tokens.of(caller(ADA))).isEmpty();
        assertThat(unwanted.of(caller(ADA))).isEmpty();
    }
}
