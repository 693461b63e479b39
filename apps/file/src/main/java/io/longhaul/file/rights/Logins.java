// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.rights;

import com.nimbusds.oauth2.sdk.util.URLUtils;
import io.longhaul.authorization.WebLogin;
import io.longhaul.engine.run.Sha256;
import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.gateway.caller.CallerLogin;
import io.longhaul.protocol.call.CallerInfo;
import io.longhaul.protocol.call.PrincipalName;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.PrincipalResolver;
import io.longhaul.protocol.transport.client.Authorization;
import io.longhaul.transport.Site.Call;
import io.longhaul.transport.Site.Hook;
import io.longhaul.transport.Site.Page;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Has callers log in at upstreams by a browser. The visitor of a page first logs in at this server's own issuer, and
 * must be the caller who was asked: "the server MUST ensure that the user who started the elicitation request is the
 * same user who completes the authorization flow". Then the visitor logs in at the upstream. A cookie holds both to one
 * browser. What is under way is in the store, so that each node goes on with it. Thread-safe.
 */
public final class Logins implements Hook {

    /** How the paths of the pages begin. */
    public static final String PATH = "/logins/";

    private static final Logger LOG = LoggerFactory.getLogger(Logins.class);
    private static final String CALLBACK = "callback";
    private static final String HOST = "__Host-";
    private static final String SPACE = "login-visit";
    private static final int BYTES = 24;
    private static final int SHOWN = 8;
    private static final Duration LIFE = Duration.ofMinutes(10);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);
    private static final String NEW = "new";
    private static final String IDENTIFY = "identify";
    private static final String GRANT = "grant";
    private static final String DONE = "done";
    private static final String FAILED = "failed";

    private final Parts parts;
    private final Map<String, Target> targets = new ConcurrentHashMap<>();
    private volatile @Nullable PrincipalResolver callers;

    /**
     * What logins need.
     *
     * @param address of this server for browsers, which may be known only when it listens
     * @param random  cannot be guessed
     * @param env     the environment, with secrets
     */
    public record Parts(
            RowStore rows, Future<URI> address, RandomGenerator random, InstantSource clock, Map<String, String> env) {}

    /** An upstream at which callers log in. */
    private record Target(URI url, RightsEntry rights) {}

    public Logins(Parts parts) {
        this.parts = parts;
    }

    /** Sets who verifies the callers of this server. */
    public void of(PrincipalResolver resolver) {
        callers = resolver;
    }

    /** The logins at an upstream; throws an {@link IllegalArgumentException} for a caller who cannot log in. */
    public Function<CallerInfo, CallerLogin> at(String upstream, URI url, RightsEntry rights) {
        targets.put(upstream, new Target(url, rights));
        return caller -> of(upstream, rights, caller);
    }

    private CallerLogin of(String upstream, RightsEntry rights, CallerInfo caller) {
        var owner = caller.principal();
        if (callers == null || person(owner).isEmpty()) {
            throw new IllegalArgumentException("the caller is no user of an issuer");
        }
        return new CallerLogin() {
            @Override
            public Authorization authorization() {
                return server -> new KeptLogin(
                        tokens(upstream, owner.name()), rights.client(parts.env()), server, parts.clock());
            }

            @Override
            public String prepare() {
                var id = random();
                var visit = JsonTree.object().put("upstream", upstream).put("owner", owner.name());
                var until = parts.clock().instant().plus(LIFE);
                parts.rows().put(new StoredRow(SPACE, id, LoginRows.payload(visit.put("stage", NEW)), until));
                return id;
            }

            @Override
            public URI page(String id) throws InterruptedException {
                return address(id);
            }

            @Override
            public Optional<String> await(String id) throws InterruptedException {
                return awaited(id);
            }
        };
    }

    /** The issuer and the subject of a user; empty for any other principal. */
    private static Optional<List<String>> person(Principal principal) {
        return PrincipalName.of(principal)
                .filter(name -> name.issuer() != null && name.subject() != null)
                .map(name -> List.of(String.valueOf(name.issuer()), String.valueOf(name.subject())));
    }

    private LoginRows tokens(String upstream, String owner) {
        return new LoginRows(parts.rows(), parts.clock(), "upstream " + upstream + " " + owner);
    }

    private LoginRows registrations() {
        return new LoginRows(parts.rows(), parts.clock(), "");
    }

    private URI address(String rest) throws InterruptedException {
        try {
            return parts.address().get().resolve(PATH + rest);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the address of this server is not known", e);
        }
    }

    private Optional<String> awaited(String id) throws InterruptedException {
        while (true) {
            var visit = visit(id);
            if (visit.isEmpty()) {
                return Optional.of("nobody has logged in there within ten minutes. Call again to be asked again.");
            }
            switch (visit.get().path("stage").asString("")) {
                case DONE -> {
                    return Optional.empty();
                }
                case FAILED -> {
                    return Optional.of(visit.get().path("why").asString("") + " Call again to be asked again.");
                }
                default -> Thread.sleep(BETWEEN_LOOKS);
            }
        }
    }

    private Optional<ObjectNode> visit(String id) {
        return parts.rows().get(SPACE, id, parts.clock().instant()).map(LoginRows::node);
    }

    /** Changes a visit that has not ended. */
    private Optional<ObjectNode> change(String id, UnaryOperator<ObjectNode> change) {
        return parts.rows()
                .change(SPACE, id, parts.clock().instant(), row -> {
                    var visit = LoginRows.node(row);
                    boolean isOver =
                            List.of(DONE, FAILED).contains(visit.path("stage").asString(""));
                    return isOver ? row : LoginRows.with(row, change.apply(visit));
                })
                .map(LoginRows::node);
    }

    private String random() {
        var bytes = new byte[BYTES];
        parts.random().nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    @Override
    public boolean isVisited() {
        return true;
    }

    @Override
    public boolean isServed() {
        return !targets.isEmpty() && callers != null;
    }

    @Override
    public Page take(Call call) throws IOException {
        try {
            return call.rest().equals(CALLBACK) ? answered(call) : opened(call.rest());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Begins anew with each visitor, so that a page that a stranger has opened is of no use to anybody. */
    private Page opened(String id) throws InterruptedException {
        var visit = visit(id);
        if (visit.isEmpty()) {
            return said(404, "This login is over, or was never asked for. Call the tool again.");
        }
        var browser = random();
        var redirect = step(id, visit.get(), IDENTIFY, hash(browser));
        var cookie = cookie(id) + "=" + browser + "; Path=/; HttpOnly; SameSite=Lax";
        return redirect.with("Set-Cookie", cookie.startsWith(HOST) ? cookie + "; Secure" : cookie);
    }

    private String cookie(String id) throws InterruptedException {
        boolean isSecure = "https".equals(address(id).getScheme());
        return (isSecure ? HOST : "") + "longhaul-" + id.substring(0, Math.min(id.length(), SHOWN));
    }

    /** Sends the browser to the next authorization server. */
    private Page step(String id, ObjectNode visit, String stage, String browser) throws InterruptedException {
        var nonce = random();
        try {
            var begun = login(visit, stage).begin(id + "." + nonce, registrations());
            var next = change(
                    id,
                    one -> one.put("stage", stage)
                            .put("nonce", nonce)
                            .put("browser", browser)
                            .put("proof", begun.proof()));
            return next.filter(one -> one.path("nonce").asString("").equals(nonce))
                            .isEmpty()
                    ? said(409, "This login is over. Call the tool again.")
                    : said(302, "Go on to the login.")
                            .with("Location", begun.page().toString());
        } catch (IOException | RuntimeException e) {
            return failed(id, "the login there cannot begin.", e);
        }
    }

    private WebLogin login(ObjectNode visit, String stage) throws InterruptedException {
        var upstream = visit.path("upstream").asString("");
        var target = Objects.requireNonNull(targets.get(upstream), "there is no upstream " + upstream);
        if (stage.equals(GRANT)) {
            return target.rights().login(target.url(), address(CALLBACK), parts.env());
        }
        var document = JsonTree.read(verifier().documents().values().iterator().next());
        var issuer = person(Principal.named(visit.path("owner").asString("")))
                .orElseThrow()
                .getFirst();
        return new WebLogin(
                URI.create(document.path("resource").asString("")),
                issuer,
                target.rights().identifying(issuer, parts.env()),
                document.path("scopes_supported")
                        .valueStream()
                        .map(scope -> scope.asString(""))
                        .toList(),
                address(CALLBACK));
    }

    private PrincipalResolver verifier() {
        return Objects.requireNonNull(callers, "this server verifies no callers");
    }

    private Page answered(Call call) throws InterruptedException {
        var answer = URLUtils.parseParameters(call.query());
        var state = answer.getOrDefault("state", List.of());
        int dot = state.size() == 1 ? state.getFirst().indexOf('.') : -1;
        var id = dot < 0 ? "" : state.getFirst().substring(0, dot);
        var before =
                visit(id).filter(one -> isOf(one, call, id, state.getFirst().substring(dot + 1)));
        if (before.isEmpty()) {
            return said(403, "This is not the browser or the answer that was waited for. Call the tool again.");
        }
        var mine = random();
        var taken = change(
                id,
                one -> one.path("nonce").equals(before.get().path("nonce"))
                        ? one.put("nonce", "").put("taken", mine)
                        : one);
        if (taken.filter(one -> one.path("taken").asString("").equals(mine)).isEmpty()) {
            return said(409, "This answer has come before. Call the tool again.");
        }
        try {
            return before.get().path("stage").asString("").equals(IDENTIFY)
                    ? identified(id, before.get(), answer)
                    : granted(id, before.get(), answer);
        } catch (IOException | RuntimeException e) {
            boolean isRefused = answer.containsKey("error");
            return failed(id, "the login there " + (isRefused ? "was refused." : "has failed."), e);
        }
    }

    /** Whether an answer is for the login that this browser has begun. */
    private boolean isOf(ObjectNode visit, Call call, String id, String nonce) {
        try {
            var cookie = cookie(id) + "=";
            var browser = List.of(call.header("Cookie").orElse("").split(";\\s*")).stream()
                    .filter(one -> one.startsWith(cookie))
                    .map(one -> hash(one.substring(cookie.length())))
                    .findFirst();
            return !nonce.isEmpty()
                    && nonce.equals(visit.path("nonce").asString(""))
                    && browser.filter(visit.path("browser").asString("")::equals)
                            .isPresent();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Page identified(String id, ObjectNode visit, Map<String, List<String>> answer)
            throws IOException, InterruptedException {
        var access = login(visit, IDENTIFY)
                .end(visit.path("proof").asString(""), answer)
                .access();
        var who = verifier()
                .resolve(name ->
                        name.equalsIgnoreCase("Authorization") ? Optional.of("Bearer " + access) : Optional.empty());
        var owner = person(Principal.named(visit.path("owner").asString("")));
        if (!(who instanceof PrincipalResolver.Resolution.Granted granted)) {
            return failed(id, "the issuer of this server did not say who has opened the login.", null);
        }
        if (owner.isEmpty() || !owner.equals(person(granted.principal()))) {
            failed(id, "another person has opened the login.", null);
            return said(403, "This login is for another person. Nothing was changed.");
        }
        return step(id, visit, GRANT, visit.path("browser").asString(""));
    }

    private Page granted(String id, ObjectNode visit, Map<String, List<String>> answer)
            throws IOException, InterruptedException {
        var upstream = visit.path("upstream").asString("");
        var login = login(visit, GRANT);
        var tokens = login.end(visit.path("proof").asString(""), answer);
        tokens(upstream, visit.path("owner").asString(""))
                .save(
                        WebLogin.tokensOf(
                                Objects.requireNonNull(targets.get(upstream)).url()),
                        tokens.text());
        change(id, one -> one.put("stage", DONE).put("proof", ""));
        return said(200, "You are logged in at '" + upstream + "'. You can close this window.");
    }

    private Page failed(String id, String why, @Nullable Exception e) {
        LOG.warn("a login of a caller failed: {}", e == null ? why : e.getMessage());
        change(id, one -> one.put("stage", FAILED).put("why", why).put("proof", ""));
        return said(502, "The login did not work. Call the tool again.");
    }

    private static String hash(String secret) {
        return HexFormat.of().formatHex(Sha256.of(secret));
    }

    private static Page said(int status, String text) {
        var headers = Map.of(
                "Content-Type", "text/plain; charset=utf-8",
                "Cache-Control", "no-store",
                "Referrer-Policy", "no-referrer",
                "X-Content-Type-Options", "nosniff");
        return new Page(status, headers, text.getBytes(StandardCharsets.UTF_8));
    }
}
