// SPDX-License-Identifier: Apache-2.0
package io.longhaul.oauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.longhaul.fakes.FakeAuthorizationServer;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.transport.PrincipalResolver.Resolution;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class ResourceServerTest {

    private static final String RESOURCE = "https://tools.example/mcp";
    private static final Duration LEEWAY = Duration.ofSeconds(30);

    private Instant now = Instant.parse("2026-11-23T08:00:00Z");

    @AutoClose
    private final FakeAuthorizationServer issuer = new FakeAuthorizationServer(() -> now);

    private final ResourceServer server = with(builder -> {});

    private ResourceServer with(Consumer<ResourceServer.Builder> more) {
        var builder = ResourceServer.of(URI.create(RESOURCE))
                .issuer(TokenIssuer.named(issuer.issuer()))
                .clock(() -> now);
        more.accept(builder);
        return builder.build();
    }

    private ResourceServer lookingUp() {
        return ResourceServer.of(URI.create(RESOURCE))
                .issuer(TokenIssuer.named(issuer.issuer()).introspected("server", "secret"))
                .clock(() -> now)
                .build();
    }

    private static Resolution ask(ResourceServer server, String token) {
        return server.resolve(name -> name.equals("Authorization") ? Optional.of("Bearer " + token) : Optional.empty());
    }

    private static Resolution.Granted granted(ResourceServer server, String token) {
        assertThat(ask(server, token)).isInstanceOf(Resolution.Granted.class);
        return (Resolution.Granted) ask(server, token);
    }

    private static Resolution.Refused refused(ResourceServer server, String token) {
        assertThat(ask(server, token)).isInstanceOf(Resolution.Refused.class);
        return (Resolution.Refused) ask(server, token);
    }

    private static String challenge(Resolution.Refused refused) {
        return refused.headers().getOrDefault("WWW-Authenticate", "");
    }

    private String signed(Consumer<ObjectNode> change) {
        var claims = issuer.claims(RESOURCE, "tools");
        change.accept(claims);
        return issuer.key().sign("at+jwt", claims);
    }

    private String name(String rest) {
        return issuer.issuer() + "#" + rest;
    }

    // Who a token is about

    @Test
    void a_token_is_its_user_at_its_issuer_with_its_scopes() {
        var granted = granted(server, issuer.token(RESOURCE, "read write"));
        assertThat(granted.principal().name()).isEqualTo(name("sub=alice"));
        assertThat(granted.permit().scopes()).containsExactlyInAnyOrder("read", "write");
        assertThat(granted.permit().covers(Set.of("admin"))).isFalse();
    }

    @Test
    void a_token_without_a_user_is_its_client() {
        assertThat(granted(server, signed(claims -> claims.remove("sub")))
                        .principal()
                        .name())
                .isEqualTo(name("client=a-client"));
        assertThat(granted(server, signed(claims -> claims.put("sub", "a-client")))
                        .principal()
                        .name())
                .isEqualTo(name("client=a-client"));
    }

    @Test
    void a_user_is_another_owner_in_each_client_where_that_is_wanted() {
        var byClient = with(ResourceServer.Builder::ownersByClient);
        assertThat(granted(byClient, signed(claims -> {})).principal().name())
                .isEqualTo(name("sub=alice&client=a-client"));
        assertThat(granted(byClient, signed(claims -> claims.put("sub", "alice&client=b")))
                        .principal()
                        .name())
                .isEqualTo(name("sub=alice%26client%3Db&client=a-client"));
        refused(byClient, signed(claims -> claims.remove("client_id")));
    }

    @Test
    void a_token_about_nobody_is_refused() {
        refused(server, signed(claims -> claims.remove(List.of("sub", "client_id"))));
    }

    // What makes a token good

    static Stream<Consumer<ObjectNode>> bad() {
        return Stream.of(
                claims -> claims.put("aud", "https://other.example/mcp"),
                claims -> claims.put("aud", RESOURCE + "/more"),
                claims -> claims.remove("aud"),
                claims -> claims.put("iss", "https://other.example"),
                claims -> claims.remove("iss"),
                claims -> claims.remove("exp"),
                claims -> claims.put("nbf", 4_000_000_000L),
                claims -> claims.putObject("cnf").put("jkt", "thumb"),
                claims -> claims.putObject("cnf").put("x5t#S256", "thumb"));
    }

    @ParameterizedTest
    @MethodSource("bad")
    void a_token_with_a_bad_claim_is_refused_and_not_told_why(Consumer<ObjectNode> change) {
        var refused = refused(server, signed(change));
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.message()).isEqualTo("The access token is not valid here: get a new one");
        assertThat(challenge(refused))
                .isEqualTo("Bearer error=\"invalid_token\", error_description=\"" + refused.message()
                        + "\", resource_metadata=\"https://tools.example/.well-known/oauth-protected-resource/mcp\"");
    }

    @Test
    void a_forged_token_is_refused_in_the_same_words_as_any_other() {
        var good = issuer.token(RESOURCE, "tools");
        granted(server, good);
        var parts = good.split("\\.");
        var forged = new ArrayList<String>();
        forged.add(issuer.stranger("key-1").sign("at+jwt", issuer.claims(RESOURCE, "tools")));
        forged.add(parts[0] + "." + parts[1] + "." + parts[2].substring(0, 20));
        forged.add(parts[0] + "." + parts[1] + ".");
        forged.add(unsigned("none"));
        forged.add(unsigned("HS256"));
        for (var token : forged) {
            assertThat(refused(server, token).message()).isEqualTo("The access token is not valid here: get a new one");
        }
    }

    private String unsigned(String algorithm) {
        var header =
                JsonTree.object().put("alg", algorithm).put("typ", "at+jwt").put("kid", "key-1");
        return issuer.key().sign(header, issuer.claims(RESOURCE, "tools"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"dpop+jwt", "logout+jwt", "secevent+jwt", "oauth-id-jag+jwt"})
    void a_token_that_is_for_something_else_is_refused(String type) {
        refused(server, issuer.key().sign(type, issuer.claims(RESOURCE, "tools")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"at+jwt", "AT+JWT", "application/at+jwt", "JWT"})
    void a_token_of_the_type_of_access_tokens_or_of_none_in_particular_is_taken(String type) {
        granted(server, issuer.key().sign(type, issuer.claims(RESOURCE, "tools")));
    }

    @Test
    void an_address_of_keys_in_a_token_is_not_asked() {
        var stranger = issuer.stranger("key-1");
        var header = JsonTree.object().put("alg", "ES256").put("kid", "key-1");
        header.put("jku", issuer.issuer() + "/strange-keys").set("jwk", stranger.publicKey());
        refused(server, stranger.sign(header, issuer.claims(RESOURCE, "tools")));
        assertThat(issuer.asked()).doesNotContain("/strange-keys");
    }

    @Test
    void an_audience_is_the_resource_in_any_spelling_or_one_that_the_operator_names() {
        granted(server, issuer.token("HTTPS://Tools.Example/mcp/", "tools"));
        var named = with(builder -> builder.audiences("api://tools"));
        granted(named, issuer.token("api://tools", "tools"));
        granted(named, issuer.token(RESOURCE, "tools"));
        refused(named, issuer.token("api://others", "tools"));
        var several = issuer.claims("", "tools");
        several.putArray("aud").add("https://other.example").add(RESOURCE);
        granted(server, issuer.key().sign("at+jwt", several));
    }

    @Test
    void a_token_holds_until_its_expiry_and_the_leeway_of_clocks() {
        issuer.lifetime(Duration.ofMinutes(10));
        var token = issuer.token(RESOURCE, "tools");
        var left = granted(server, token).until();
        assertThat(left).isNotNull();
        now = now.plus(Duration.ofMinutes(10)).plus(LEEWAY).minusSeconds(1);
        granted(server, token);
        now = now.plusSeconds(1);
        var refused = refused(server, token);
        assertThat(refused.message()).isEqualTo("The access token has expired: get a new one");
        assertThat(challenge(refused)).contains("error=\"invalid_token\"");
    }

    // Keys

    @Test
    void a_new_key_of_the_issuer_is_found_at_the_first_token_of_it() {
        granted(server, issuer.token(RESOURCE, "tools"));
        now = now.plus(KeySet.APART);
        issuer.rotate();
        granted(server, issuer.token(RESOURCE, "tools"));
        assertThat(issuer.asked().stream().filter("/keys"::equals)).hasSize(2);
    }

    @Test
    void unknown_keys_make_no_more_than_one_request_in_half_a_minute() {
        granted(server, issuer.token(RESOURCE, "tools"));
        for (int i = 0; i < 20; i++) {
            refused(server, issuer.stranger("unknown-" + i).sign("at+jwt", issuer.claims(RESOURCE, "tools")));
        }
        assertThat(issuer.asked().stream().filter("/keys"::equals)).hasSize(1);
        now = now.plus(KeySet.APART);
        refused(server, issuer.stranger("unknown").sign("at+jwt", issuer.claims(RESOURCE, "tools")));
        assertThat(issuer.asked().stream().filter("/keys"::equals)).hasSize(2);
    }

    @Test
    void a_key_that_the_issuer_takes_back_is_forgotten() {
        var old = issuer.key();
        granted(server, issuer.token(RESOURCE, "tools"));
        issuer.rotate();
        now = now.plus(KeySet.FRESH).plusSeconds(1);
        granted(server, issuer.token(RESOURCE, "tools"));
        refused(server, old.sign("at+jwt", issuer.claims(RESOURCE, "tools")));
    }

    @Test
    void a_token_cannot_be_checked_while_the_issuer_has_never_been_there() {
        var away = ResourceServer.of(URI.create(RESOURCE))
                .issuer(TokenIssuer.named(issuer.issuer()).keysAt(URI.create(issuer.issuer() + "/nothing")))
                .clock(() -> now)
                .build();
        var refused = refused(away, issuer.token(RESOURCE, "tools"));
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.headers()).containsKey("Retry-After").doesNotContainKey("WWW-Authenticate");
    }

    @Test
    void known_keys_hold_while_the_issuer_is_away_but_not_for_ever() {
        issuer.lifetime(Duration.ofDays(9));
        granted(server, issuer.token(RESOURCE, "tools"));
        issuer.close();
        now = now.plus(KeySet.LONGEST).minusSeconds(1);
        granted(server, issuer.token(RESOURCE, "tools"));
        now = now.plusSeconds(2);
        assertThat(refused(server, issuer.token(RESOURCE, "tools")).status()).isEqualTo(503);
    }

    @Test
    void keys_can_come_from_a_file(@TempDir Path folder) throws Exception {
        var file = folder.resolve("keys.json");
        var keys = JsonTree.object();
        keys.putArray("keys").add(issuer.key().publicKey());
        Files.writeString(file, keys.toString());
        var offline = ResourceServer.of(URI.create(RESOURCE))
                .issuer(TokenIssuer.named("https://login.example").keysIn(file))
                .clock(() -> now)
                .build();
        granted(offline, signed(claims -> claims.put("iss", "https://login.example")));
        assertThat(issuer.asked()).isEmpty();
    }

    @Test
    void metadata_of_another_issuer_are_not_used() {
        var tenant = TokenIssuer.named(issuer.issuer() + "/");
        var confused = ResourceServer.of(URI.create(RESOURCE))
                .issuer(tenant)
                .clock(() -> now)
                .build();
        assertThat(refused(confused, signed(claims -> claims.put("iss", issuer.issuer() + "/")))
                        .status())
                .isEqualTo(503);
    }

    // Tokens that only the issuer can read

    @Test
    void an_opaque_token_is_looked_up_once_in_half_a_minute() {
        var server = lookingUp();
        var token = issuer.opaque(issuer.claims(RESOURCE, "read"));
        assertThat(granted(server, token).principal().name()).isEqualTo(name("sub=alice"));
        assertThat(granted(server, token).permit().scopes()).containsExactly("read");
        issuer.revoke(token);
        granted(server, token);
        assertThat(issuer.asked().stream().filter("/introspect"::equals)).hasSize(1);
        now = now.plus(CheckedTokens.LOOKED_UP);
        assertThat(refused(server, token).status()).isEqualTo(401);
    }

    @Test
    void an_opaque_token_for_another_audience_or_issuer_or_of_a_bound_key_is_refused() {
        var server = lookingUp();
        var elsewhere = issuer.claims("https://other.example", "read");
        var nowhere = issuer.claims(RESOURCE, "read");
        nowhere.remove("aud");
        var foreign = issuer.claims(RESOURCE, "read").put("iss", "https://other.example");
        var bound = issuer.claims(RESOURCE, "read");
        bound.putObject("cnf").put("jkt", "x");
        var old = issuer.claims(RESOURCE, "read")
                .put("exp", now.minus(Duration.ofHours(1)).getEpochSecond());
        for (var claims : List.of(elsewhere, nowhere, foreign, bound, old)) {
            assertThat(refused(server, issuer.opaque(claims)).status()).isEqualTo(401);
        }
        assertThat(refused(server, "unknown").status()).isEqualTo(401);
    }

    @Test
    void an_opaque_token_cannot_be_checked_while_its_issuer_refuses_this_server() {
        var server = ResourceServer.of(URI.create(RESOURCE))
                .issuer(TokenIssuer.named(issuer.issuer()).introspected("server", "wrong"))
                .clock(() -> now)
                .build();
        assertThat(refused(server, issuer.opaque(issuer.claims(RESOURCE, "read")))
                        .status())
                .isEqualTo(503);
    }

    // Scopes

    @Test
    void a_token_without_the_scopes_of_the_server_is_told_all_that_it_needs() {
        var scoped = with(builder -> builder.scopes("tools", "mcp"));
        var refused = refused(scoped, issuer.token(RESOURCE, "tools other"));
        assertThat(refused.status()).isEqualTo(403);
        assertThat(challenge(refused))
                .startsWith("Bearer error=\"insufficient_scope\", scope=\"mcp other tools\", resource_metadata=\"");
        granted(scoped, issuer.token(RESOURCE, "tools mcp"));
    }

    @Test
    void a_call_that_needs_more_is_told_so_with_what_the_token_has() {
        var permit = granted(with(builder -> builder.scopes("mcp")), issuer.token(RESOURCE, "mcp read"))
                .permit();
        assertThat(permit.challenge().apply(List.of("write")))
                .hasValueSatisfying(text -> assertThat(text).contains("scope=\"mcp read write\""));
    }

    @Test
    void a_broad_scope_implies_narrower_ones_and_what_these_imply() {
        var nested = with(builder -> builder.scopes("read")
                .implies("admin", "write")
                .implies("write", "read")
                .implies("read", "admin"));
        assertThat(granted(nested, issuer.token(RESOURCE, "admin")).permit().covers(List.of("read", "write")))
                .isTrue();
    }

    @Test
    void what_cannot_be_a_scope_is_not_granted() {
        var token = signed(
                claims -> claims.putArray("scp").add("good").add("with\"quote").add("with space"));
        assertThat(granted(server, token).permit().scopes()).containsExactlyInAnyOrder("good", "tools");
    }

    // What clients are told

    @Test
    void a_request_without_a_token_is_told_where_to_get_one_and_of_no_error() {
        var scoped = with(builder -> builder.scopes("tools"));
        for (var header : List.of(Optional.<String>empty(), Optional.of("Basic YTpi"))) {
            var refused = (Resolution.Refused) scoped.resolve(name -> header);
            assertThat(refused.status()).isEqualTo(401);
            assertThat(challenge(refused))
                    .isEqualTo("Bearer scope=\"tools\", resource_metadata=\""
                            + "https://tools.example/.well-known/oauth-protected-resource/mcp\"");
        }
        var malformed = (Resolution.Refused) scoped.resolve(name -> Optional.of("Bearer two words"));
        assertThat(malformed.status()).isEqualTo(400);
        assertThat(challenge(malformed)).contains("error=\"invalid_request\"");
    }

    @Test
    void metadata_are_at_the_root_and_at_the_path_of_the_resource() {
        var documents = with(builder -> builder.scopes("tools")).documents();
        assertThat(documents)
                .containsOnlyKeys("/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp");
        assertThat(documents.values().stream().map(Json::toString))
                .containsOnly("{\"resource\":\"https://tools.example/mcp\",\"authorization_servers\":[\""
                        + issuer.issuer()
                        + "\"],\"scopes_supported\":[\"tools\"],\"bearer_methods_supported\":[\"header\"]}");
        var root = ResourceServer.of(URI.create("https://tools.example/"))
                .issuer(TokenIssuer.named(issuer.issuer()))
                .build();
        assertThat(root.documents()).containsOnlyKeys("/.well-known/oauth-protected-resource");
    }

    // Keys of callers

    @Test
    void a_key_that_was_removed_from_its_file_is_refused_and_one_that_was_added_is_taken(@TempDir Path folder)
            throws IOException {
        var file = Files.writeString(folder.resolve("keys"), "lhk_old");
        var server = ResourceServer.of(URI.create(RESOURCE))
                .keysIn(file, () -> keys(file))
                .clock(() -> now)
                .build();
        granted(server, "lhk_old");
        Files.writeString(file, "lhk_the_new_one");
        granted(server, "lhk_old");
        now = now.plusSeconds(5);
        assertThat(refused(server, "lhk_old").status()).isEqualTo(401);
        granted(server, "lhk_the_new_one");

        Files.writeString(file, "no key at all");
        now = now.plusSeconds(5);
        granted(server, "lhk_the_new_one");
    }

    private static List<ApiKey> keys(Path file) {
        try {
            var key = Files.readString(file);
            return List.of(new ApiKey("ci", key.startsWith("lhk_") ? ApiKey.hash(key) : key, Set.of()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void an_api_key_is_its_caller_with_its_scopes_and_does_not_expire() {
        var key = ApiKey.create(new Random(1));
        var keys = ResourceServer.of(URI.create(RESOURCE))
                .keys(List.of(
                        new ApiKey("other", ApiKey.hash("lhk_other"), Set.of()),
                        new ApiKey("ci", ApiKey.hash(key), Set.of("tools"))))
                .build();
        var granted = granted(keys, key);
        assertThat(granted.principal().name()).isEqualTo("api-key#ci");
        assertThat(granted.permit().scopes()).containsExactly("tools");
        assertThat(granted.until()).isNull();
        var refused = refused(keys, key + "x");
        assertThat(challenge(refused)).doesNotContain("resource_metadata");
        assertThat(keys.documents()).isEmpty();
        refused(keys, ApiKey.hash(key));
    }

    @Test
    void a_key_has_256_random_bits_and_shows_what_it_is() {
        assertThat(ApiKey.create(new Random(1))).matches("lhk_[A-Za-z0-9_-]{43}");
        assertThat(ApiKey.create(new Random(1))).isNotEqualTo(ApiKey.create(new Random(2)));
    }

    // What an operator is told

    @Test
    void what_cannot_work_is_said_when_the_server_is_made() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ResourceServer.of(URI.create("http://tools.example/mcp")))
                .withMessageContaining("https");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ResourceServer.of(URI.create(RESOURCE + "#x")))
                .withMessageContaining("fragment");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TokenIssuer.named("login.example"))
                .withMessageContaining("login.example");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TokenIssuer.named("http://login.example"))
                .withMessageContaining("https");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TokenIssuer.named("not an address"))
                .withMessageContaining("not an address");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ResourceServer.of(URI.create(RESOURCE)).build())
                .withMessageContaining("issuer");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> with(builder -> builder.issuer(TokenIssuer.named(issuer.issuer()))))
                .withMessageContaining("twice");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> with(builder -> builder.leeway(Duration.ofHours(1))))
                .withMessageContaining("leeway");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ApiKey("ci", "lhk_notAHash", Set.of()))
                .withMessageContaining("longhaul key");
    }

    @Test
    void no_text_shows_a_token_a_key_or_a_secret() {
        var token = issuer.token(RESOURCE, "tools");
        var secret = TokenIssuer.named(issuer.issuer()).introspected("server", "hush");
        assertThat(refused(with(builder -> builder.scopes("more")), token).toString())
                .doesNotContain(token);
        assertThat(granted(server, token).toString()).doesNotContain(token);
        assertThat(secret.toString() + new TokenIssuer.Credentials("server", "hush"))
                .doesNotContain("hush");
    }
}
