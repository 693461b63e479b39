// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.transport.PrincipalResolver;
import io.longhaul.protocol.transport.WholeResponse;
import io.longhaul.testkit.talk.RawHttp;
import io.longhaul.transport.Site.Hook;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import java.util.ArrayList;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whom a servlet takes its callers for, and when it does not serve. */
@Timeout(60)
class McpServletTest {

    private static final String JSON = "Content-Type: application/json\r\n";

    /** Says who calls, and what the caller may. */
    private static final Script WHO = Script.posting((body, exchange) -> exchange.answer(new WholeResponse(
            200,
            text(exchange.principal().name() + " " + exchange.permit().covers(Set.of("read"))
                    + exchange.permit().covers(Set.of("write"))))));

    /** The container's login: a header names the user, and another one the address that the request comes from. */
    private static final Filter LOGIN = new Filter() {
        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            chain.doFilter(
                    new HttpServletRequestWrapper((HttpServletRequest) request) {
                        @Override
                        public @Nullable Principal getUserPrincipal() {
                            var name = getHeader("User");
                            return name == null ? null : () -> name;
                        }

                        @Override
                        public String getRemoteAddr() {
                            var from = getHeader("From");
                            return from == null ? super.getRemoteAddr() : from;
                        }

                        @Override
                        public String getLocalAddr() {
                            var to = getHeader("To");
                            return to == null ? super.getLocalAddr() : to;
                        }
                    },
                    response);
        }
    };

    /** Writes a header when the servlet has returned. */
    private static final Filter LATE = (request, response, chain) -> {
        chain.doFilter(request, response);
        ((HttpServletResponse) response).setHeader("X-Late", "heard");
    };

    private @Nullable Site site;

    private static Json text(String value) {
        return new JsonWriter().string(value).toJson();
    }

    private McpServlet servlet() {
        return McpServlet.at("/mcp");
    }

    private void serve(McpServlet servlet) throws Exception {
        servlet.start(WHO);
        open(new TomcatSite(servlet, true, LATE, LOGIN));
    }

    private void open(Site made) throws Exception {
        site = made;
        made.open();
    }

    @AfterEach
    void close() throws Exception {
        if (site != null) {
            site.close();
        }
    }

    private RawHttp.Response post(String headers) throws IOException {
        return RawHttp.ask(Objects.requireNonNull(site).url(), "POST", JSON + headers, "1");
    }

    @Test
    void the_user_of_the_container_is_the_caller_and_may_call_every_tool() throws Exception {
        serve(servlet());
        assertThat(post("User: alice\r\n").body()).isEqualTo("\"alice truetrue\"");
        assertThat(post("").body()).isEqualTo("\"anonymous falsefalse\"");
    }

    @Test
    void hooks_are_mapped_and_need_no_user() throws Exception {
        var taken = new ArrayList<String>();
        serve(servlet()
                .authenticated()
                .site(io.longhaul.transport.Site.NONE.hooked("/hooks/", Hook.ofAddresses(taken::add))));
        var hook = Objects.requireNonNull(site).url().resolve("/hooks/a/b");
        assertThat(RawHttp.ask(hook, "POST", "", "").status()).isEqualTo(202);
        assertThat(taken).containsExactly("a/b");
    }

    @Test
    void a_function_gives_the_scopes_of_a_user() throws Exception {
        serve(servlet().scopes(request -> Set.of(request.getHeader("Role"))));
        assertThat(post("User: alice\r\nRole: read\r\n").body()).isEqualTo("\"alice truefalse\"");
    }

    @Test
    void no_user_can_have_the_name_of_the_local_user_or_of_the_anonymous_callers() throws Exception {
        serve(servlet());
        assertThat(post("User: local\r\n").status()).isEqualTo(403);
        assertThat(post("User: anonymous\r\n").status()).isEqualTo(403);
    }

    @Test
    void callers_that_are_not_logged_in_are_refused_where_that_is_wanted() throws Exception {
        var servlet = servlet().authenticated();
        serve(servlet);
        assertThat(servlet.authorizes()).isTrue();
        assertThat(post("").status()).isEqualTo(401);
        assertThat(post("User: alice\r\n").status()).isEqualTo(200);
    }

    @Test
    void a_resolver_of_principals_stands_in_for_the_container() throws Exception {
        serve(servlet().principals(PrincipalResolver.always(io.longhaul.protocol.transport.Principal.named("bob"))));
        assertThat(post("User: alice\r\n").body()).startsWith("\"bob ");
    }

    @Test
    void a_servlet_for_this_machine_serves_its_user_and_nobody_elses() throws Exception {
        var servlet = servlet().thisMachineOnly();
        serve(servlet);
        assertThat(servlet.isLocal()).isTrue();
        assertThat(post("").body()).isEqualTo("\"local truetrue\"");
        assertThat(post("From: 192.0.2.1\r\n")).satisfies(refused -> {
            assertThat(refused.status()).isEqualTo(403);
            assertThat(refused.body()).contains("Only programs of this machine");
        });
    }

    @Test
    void any_host_may_be_asked_for_at_another_address_unless_hosts_are_named() throws Exception {
        serve(servlet());
        assertThat(post("To: 192.0.2.1\r\nHost: any.example\r\n").status()).isEqualTo(200);
        assertThat(post("To: 192.0.2.1\r\nHost: any.example\r\nOrigin: http://any.example\r\n")
                        .status())
                .isEqualTo(403);
        assertThat(post("Host: any.example\r\n").status()).isEqualTo(403);
    }

    @Test
    void the_pages_of_the_container_itself_are_served_where_that_is_said() throws Exception {
        serve(servlet().allowSameOrigin());
        var asked = "To: 192.0.2.1\r\nHost: any.example:8080\r\n";
        assertThat(post(asked + "Origin: http://any.example:8080\r\n").status()).isEqualTo(200);
        assertThat(post(asked + "Origin: http://evil.example:8080\r\n").status())
                .isEqualTo(403);
        assertThat(post("Host: any.example\r\nOrigin: http://any.example\r\n").status())
                .isEqualTo(403);
    }

    @Test
    void a_named_host_is_served_at_each_address_and_closes_others() throws Exception {
        serve(servlet().allowHosts("tasks.example"));
        assertThat(post("Host: tasks.example:8443\r\n").status()).isEqualTo(200);
        assertThat(post("To: 192.0.2.1\r\nHost: tasks.example\r\n").status()).isEqualTo(200);
        assertThat(post("To: 192.0.2.1\r\nHost: any.example\r\n").status()).isEqualTo(403);
    }

    @Test
    void what_a_filter_adds_behind_the_servlet_is_heard_since_nothing_is_written_before() throws Exception {
        serve(servlet());
        for (var i = 0; i < 50; i++) {
            assertThat(post("").headers()).containsEntry("x-late", "heard");
        }
    }

    @Test
    void requests_before_the_start_and_after_the_end_are_told_to_come_back() throws Exception {
        var servlet = servlet();
        open(new TomcatSite(servlet, true));
        assertThat(post("")).satisfies(early -> {
            assertThat(early.status()).isEqualTo(503);
            assertThat(early.headers()).containsEntry("retry-after", "1");
        });
        servlet.start(WHO);
        assertThat(post("").status()).isEqualTo(200);
        assertThatIllegalStateException().isThrownBy(() -> servlet.start(WHO));
        servlet.close();
        assertThat(post("").status()).isEqualTo(503);
        servlet.start(WHO);
        assertThat(post("").status()).isEqualTo(200);
    }

    @Test
    void a_servlet_without_async_support_says_so_in_the_log_and_not_to_the_client() throws Exception {
        var servlet = servlet();
        servlet.start(WHO);
        open(new TomcatSite(servlet, false));
        assertThat(post("")).satisfies(failed -> {
            assertThat(failed.status()).isEqualTo(500);
            assertThat(failed.body()).contains("-32603", "see its log").doesNotContain("async");
        });
    }

    @Test
    void a_path_is_one_path() {
        assertThatIllegalArgumentException().isThrownBy(() -> McpServlet.at("mcp"));
        assertThatIllegalArgumentException().isThrownBy(() -> McpServlet.at("/mcp/*"));
    }
}
