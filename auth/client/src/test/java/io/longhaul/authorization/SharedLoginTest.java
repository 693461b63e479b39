// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.protocol.transport.client.RequestAuthorizer;
import io.longhaul.protocol.transport.client.RequestAuthorizer.Refusal;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several clients and processes share one login, whose refresh token can be used once. */
@Timeout(60)
class SharedLoginTest extends OAuthFixture {

    private final CountDownLatch answered = new CountDownLatch(1);
    private RequestAuthorizer client;

    @BeforeEach
    void logIn() throws Exception {
        client = letIn(browser());
        servers.behaviour.refreshAnswered = answered;
    }

    /** A store that tells whether a thread waits until a name is free. */
    private static final class WatchedStore extends PassingTokenStore {

        private volatile Optional<Thread> holder = Optional.empty();

        WatchedStore(TokenStore store) {
            super(store);
        }

        boolean isWaitedFor() {
            return holder.map(Thread::getState)
                    .filter(Thread.State.WAITING::equals)
                    .isPresent();
        }

        @Override
        public Hold hold(String name) {
            holder = Optional.of(Thread.currentThread());
            var held = super.hold(name);
            holder = Optional.empty();
            return held;
        }
    }

    /** The renewal of a token that the server has refused, or whose end is near. */
    private FutureTask<Object> renewal(RequestAuthorizer holder, boolean isEarly) throws Exception {
        var refusal = new Refusal(401, List.of(), client.headers("POST"), 1);
        Callable<Object> renewal = () -> isEarly ? holder.headers("POST") : holder.renew(refusal);
        return new FutureTask<>(renewal);
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }

    private int forms() {
        return servers.tokenRequests.size();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void two_holders_that_renew_a_login_at_once_use_its_refresh_token_once(boolean isEarly) throws Exception {
        var first = renewal(at(browser()), isEarly);
        var watched = new WatchedStore(store);
        var second = renewal(at(browser().tokens(watched)), isEarly);
        servers.valid.clear();
        now = isEarly ? now.plusSeconds(3580) : now;
        new Thread(first).start();
        await(() -> forms() == 2);
        new Thread(second).start();
        await(() -> watched.isWaitedFor() || second.isDone() || forms() > 2);
        answered.countDown();
        assertThat(first.get()).isEqualTo(second.get());
        assertThat(request(at(OAuth.kept(store)))).isEqualTo(200);
        assertThat(servers.inTokenRequests("refresh_token")).containsExactly(null, "refresh1");
        assertThat(opened).hasSize(1);
    }

    @Test
    void a_call_that_is_cancelled_while_it_renews_the_login_of_all_loses_no_tokens() throws Exception {
        var renewal = renewal(client, false);
        servers.valid.clear();
        var call = new Thread(renewal);
        call.start();
        await(() -> forms() == 2);
        call.interrupt();
        call.join();
        assertThatThrownBy(renewal::get).hasMessageContaining("interrupted");
        answered.countDown();
        assertThat(request(client)).isEqualTo(200);
        assertThat(servers.inTokenRequests("refresh_token")).containsExactly(null, "refresh1");
        assertThat(opened).hasSize(1);
    }

    @Test
    void a_refused_refresh_token_takes_no_login_where_another_process_has_renewed_the_login() throws Exception {
        answered.countDown();
        servers.valid.clear();
        servers.refreshable.clear();
        servers.behaviour.meanwhile = () -> {
            var name = OAuthAuthorizer.name(servers.server());
            store.save(name, store.load(name).orElseThrow().replace("access1", "access0"));
            servers.valid.put("access0", List.of());
        };
        assertThat(request(client)).isEqualTo(200);
        assertThat(opened).hasSize(1);
    }

    @Test
    void a_login_that_is_forgotten_is_not_kept_again_by_a_renewal_that_was_on_its_way() throws Exception {
        var renewal = renewal(client, false);
        new Thread(renewal).start();
        await(() -> forms() == 2);
        var forgetting = new Thread(() -> browser().forget(servers.server()));
        forgetting.start();
        await(() -> forgetting.getState() == Thread.State.WAITING || !forgetting.isAlive());
        answered.countDown();
        renewal.get();
        forgetting.join();
        assertThat(browser().isKept(servers.server())).isFalse();
    }
}
