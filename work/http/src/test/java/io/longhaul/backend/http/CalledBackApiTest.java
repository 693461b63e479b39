// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.backend.http.address.Callbacks;
import io.longhaul.engine.store.RowStore;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.testkit.LocalHttp;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An API whose jobs are looked at because it calls back: but for that they are left alone for a minute. It calls for
 * each job that it ever had, before it has answered the start, too.
 */
class CalledBackApiTest extends HttpBackendContract {

    private static final int TAKEN = 202;
    private static final int REFUSED = 403;

    private final RowStore rows = new MemoryTaskStore().rows();
    private volatile @Nullable LocalHttp server;
    private volatile @Nullable Callbacks callbacks;

    CalledBackApiTest() {
        super(true, HttpBackendContract::calledBack);
    }

    @Override
    protected Outside outside(Path home) throws Exception {
        var own = new LocalHttp(Callbacks.PATH, exchange -> {
            var rest = exchange.getRequestURI().getPath().substring(Callbacks.PATH.length());
            exchange.sendResponseHeaders(Objects.requireNonNull(callbacks).take(rest) ? TAKEN : REFUSED, -1);
            exchange.close();
        });
        server = own;
        var api = new JobApi(true);
        return new CallingJobs(api);
    }

    @Override
    HttpBackend backend() {
        var own = Callbacks.at(URI.create(Objects.requireNonNull(server).origin()), rows);
        callbacks = own;
        return HttpBackend.create(HttpBackend.DEFAULT_CONNECTIONS, own, null);
    }

    private final class CallingJobs extends Jobs {

        CallingJobs(JobApi api) {
            super(api, new ArrayList<>());
            api.onStart(this::callBack);
        }

        @Override
        public boolean callsBack() {
            return true;
        }

        @Override
        public void callBack() {
            for (var address : api.callbacks()) {
                assertThat(call(address)).isEqualTo(TAKEN);
                assertThat(call(address + "A")).isEqualTo(REFUSED);
            }
        }

        private static int call(String address) {
            var request = HttpRequest.newBuilder(URI.create(address))
                    .POST(HttpRequest.BodyPublishers.ofString("{}"))
                    .build();
            try (var client = HttpClient.newHttpClient()) {
                return client.send(request, BodyHandlers.discarding()).statusCode();
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void endJobs() throws Exception {
            super.endJobs();
            callBack();
        }

        @Override
        public void deleteJobs() throws Exception {
            super.deleteJobs();
            callBack();
        }

        @Override
        public void hide(boolean hidden) throws Exception {
            super.hide(hidden);
            callBack();
        }

        @Override
        public void close() throws Exception {
            super.close();
            Objects.requireNonNull(server).close();
        }
    }
}
