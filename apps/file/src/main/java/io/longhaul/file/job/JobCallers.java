// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.job;

import io.longhaul.authorization.CallerTokens;
import io.longhaul.backend.http.request.JobCaller;
import io.longhaul.backend.http.request.NoRightsException;
import io.longhaul.engine.run.Run;
import io.longhaul.file.work.HttpEntry;
import io.longhaul.file.work.JobTokens;
import io.longhaul.protocol.BoundedMap;
import io.longhaul.protocol.Guard;
import io.longhaul.protocol.call.CallerInfo;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.client.Authorization;
import io.longhaul.protocol.transport.client.RequestAuthorizer;
import io.longhaul.protocol.transport.client.RequestAuthorizer.Refusal;
import io.longhaul.protocol.transport.client.TransportException;
import io.longhaul.receiver.task.Origin;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The callers of the jobs of APIs: what is verified of them, and the rights of requests. Tools share the tokens for one
 * API; those of the last thousand callers are kept. Thread-safe.
 */
public final class JobCallers {

    private static final Logger LOG = LoggerFactory.getLogger(JobCallers.class);
    private static final int MOST = 1_000;
    private static final int UNAUTHORIZED = 401;
    private static final String NAMED = "The API is called in the name of its callers, and this caller ";

    private final Map<String, String> env;
    private final CallerTokens tokens;
    private final Guard guard = new Guard();

    /** Read and written under the guard. */
    private final BoundedMap<Holder, RequestAuthorizer> authorizers = BoundedMap.byUse(MOST);

    /** @param principal null for the server itself */
    private record Holder(
            String written, URI resource, @Nullable Principal principal, Set<String> scopes) {}

    /**
     * The callers at one server.
     *
     * @param env    the environment, with secrets
     * @param tokens of the callers
     */
    public JobCallers(Map<String, String> env, CallerTokens tokens) {
        this.env = env;
        this.tokens = tokens;
    }

    /** Gives the caller of each run of a job. */
    Function<Run, JobCaller> of(HttpEntry http) {
        var by = http.tokens();
        if (by == null) {
            return run -> caller(run, JobCaller.Rights.NONE);
        }
        var own = by.rights().itself(env);
        var ofCallers = by.rights().ofCallers(env, tokens);
        return run -> {
            var caller = Origin.of(run.spec()).caller();
            try {
                var rights = ofCallers.isEmpty()
                        ? new Tokens(authorizer(by, null, own), false)
                        : new Tokens(authorizer(by, caller, ofCallers.get().apply(caller)), true);
                return caller(run, rights);
            } catch (IllegalArgumentException e) {
                return caller(run, method -> {
                    throw new NoRightsException(NAMED + "is no user in whose name it can be called.", false);
                });
            }
        };
    }

    private static JobCaller caller(Run run, JobCaller.Rights rights) {
        var values = Origin.of(run.spec()).caller().values();
        return new JobCaller(CallerInfo.VALUES, values, rights);
    }

    private RequestAuthorizer authorizer(JobTokens by, @Nullable CallerInfo caller, Authorization authorization) {
        var holder = caller == null
                ? new Holder(by.written(), by.resource(), null, Set.of())
                : new Holder(by.written(), by.resource(), caller.principal(), caller.scopes());
        return guard.get(() -> authorizers.computeIfAbsent(holder, any -> authorization.at(by.resource())));
    }

    /** @param isOfCaller whether the tokens are in the name of the caller */
    private record Tokens(RequestAuthorizer by, boolean isOfCaller) implements JobCaller.Rights {
        @Override
        public Map<String, String> headers(String method) throws NoRightsException, InterruptedException {
            try {
                return by.headers(method);
            } catch (TransportException e) {
                throw none(e);
            }
        }

        @Override
        public boolean isRenewed(Map<String, String> sent, int attempt) throws NoRightsException, InterruptedException {
            try {
                return by.renew(new Refusal(UNAUTHORIZED, List.of(), sent, attempt));
            } catch (TransportException e) {
                throw none(e);
            }
        }

        private NoRightsException none(TransportException why) throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException(why.getMessage());
            }
            LOG.info("a request to an API has no token: {}", why.getMessage());
            if (why.kind().isPassing()) {
                return new NoRightsException("The credentials for the API cannot be had now. Try again later.", true);
            }
            return new NoRightsException(
                    isOfCaller
                            ? NAMED + "has no token that can be exchanged for it, or may not use it."
                                    + " Call again with a new token."
                            : "This server gets no token for the API, and its log has the details.",
                    false);
        }
    }
}
