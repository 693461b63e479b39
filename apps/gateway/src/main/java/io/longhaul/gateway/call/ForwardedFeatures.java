// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.call;

import io.longhaul.client.McpClient;
import io.longhaul.client.McpClientException;
import io.longhaul.client.RefusedException;
import io.longhaul.client.Suggestions;
import io.longhaul.gateway.caller.CallerRefusedException;
import io.longhaul.gateway.caller.LoginAsk;
import io.longhaul.gateway.link.Link;
import io.longhaul.gateway.link.LinkUse;
import io.longhaul.gateway.link.UpstreamAwayException;
import io.longhaul.gateway.question.CallAnswerer;
import io.longhaul.gateway.question.UnansweredQuestion;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.server.ArgumentCompleter;
import io.longhaul.server.ForwardContext;
import io.longhaul.server.ForwardHandler;
import io.longhaul.server.McpException;
import io.longhaul.server.ResourceRequest;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The resources and prompts of an upstream, which pass through. */
public record ForwardedFeatures(Link link) {

    private static final Logger LOG = LoggerFactory.getLogger(ForwardedFeatures.class);

    private interface Using {
        LinkUse begin() throws CallerRefusedException, InterruptedException;
    }

    public ForwardHandler<ResourceRequest> resource() {
        return (request, call) -> {
            var unanswered = new UnansweredQuestion();
            return ask(
                    () -> admitted(call),
                    client -> client.resources().contents(request.uri(), new CallAnswerer(call, unanswered)),
                    unanswered);
        };
    }

    /** @param own the name of the prompt at the upstream */
    public ForwardHandler<Map<String, String>> prompt(String own) {
        return (arguments, call) -> {
            var unanswered = new UnansweredQuestion();
            return ask(
                    () -> admitted(call),
                    client -> client.prompts().result(own, arguments, new CallAnswerer(call, unanswered)),
                    unanswered);
        };
    }

    /** A request to an upstream for suggestions. */
    private interface Suggesting {
        Suggestions of(McpClient client, String typed, Map<String, String> others);
    }

    public ArgumentCompleter promptArgument(String own, String argument) {
        return completer((client, typed, others) -> client.prompts().complete(own, argument, typed, others));
    }

    public ArgumentCompleter templateVariable(String template, String variable) {
        return completer((client, typed, others) -> client.resources().complete(template, variable, typed, others));
    }

    private ArgumentCompleter completer(Suggesting suggesting) {
        return new ArgumentCompleter() {
            @Override
            public List<String> complete(String typed, Map<String, String> others) {
                return completions(typed, others).values();
            }

            @Override
            public CallResponse.Completions completions(String typed, Map<String, String> others) {
                // A completion does not say who asks.
                if (link.isPerCaller()) {
                    return new CallResponse.Completions(List.of(), 0);
                }
                var first = ask(link::use, client -> suggesting.of(client, typed, others), new UnansweredQuestion());
                return new CallResponse.Completions(first.values(), first.total());
            }
        };
    }

    private LinkUse admitted(ForwardContext call) throws CallerRefusedException, InterruptedException {
        var use = link.use(call.caller());
        try {
            use.admit(LoginAsk.by(new CallAnswerer(call, new UnansweredQuestion())));
            return use;
        } catch (CallerRefusedException | InterruptedException | RuntimeException e) {
            use.close();
            throw e;
        }
    }

    private <T> T ask(Using using, Function<McpClient, T> asked, UnansweredQuestion unanswered) {
        try (var use = using.begin()) {
            return asked.apply(use.client());
        } catch (CallerRefusedException e) {
            throw new McpException(RpcError.INVALID_REQUEST, String.valueOf(e.getMessage()));
        } catch (UpstreamAwayException e) {
            link.look();
            throw new McpException(RpcError.INTERNAL_ERROR, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new McpException(RpcError.INTERNAL_ERROR, "The request was interrupted.");
        } catch (RefusedException e) {
            throw OutcomeTranslation.passed(e.error());
        } catch (McpClientException e) {
            LOG.warn("{} gave no answer: {}", link.upstream(), e.getMessage());
            link.look();
            throw new McpException(
                    RpcError.INTERNAL_ERROR,
                    unanswered
                            .sentence(link.upstream())
                            .orElseGet(() -> new UpstreamAwayException(link.upstream()).getMessage()));
        }
    }
}
