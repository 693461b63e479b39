// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.base;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.dialect.ClientDialect.Outgoing;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.Traits;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.dialect.words.ClientReader;
import io.longhaul.protocol.dialect.words.Related;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The client's side of a generation that extends the dialect of a session. The dialect of the session encodes and
 * decodes what a subclass does not override.
 */
public abstract class ForwardingClientDialect implements ClientDialect {

    private final Generation generation;
    private final ClientDialect session;
    private final Traits traits;
    private final UnaryOperator<Hello> offered;
    private final @Nullable Related related;

    /**
     * @param session the generation of the session, whose dialect handles everything else
     * @param traits  gives the traits of this generation from those of the session
     * @param offered adds to the description of a server what it can do with tasks in this generation
     * @param related where messages name their task, or null
     */
    protected ForwardingClientDialect(
            Generation generation,
            Generation session,
            UnaryOperator<Traits> traits,
            UnaryOperator<Hello> offered,
            @Nullable Related related) {
        this.generation = generation;
        this.session = new ClientHandshake(session);
        this.traits = traits.apply(this.session.traits());
        this.offered = offered;
        this.related = related;
    }

    @Override
    public final Generation generation() {
        return generation;
    }

    @Override
    public final Traits traits() {
        return traits;
    }

    @Override
    public Outgoing write(Call call, ClientProfile me) {
        return session.write(call, me);
    }

    /** A message of this generation's own. */
    protected final Outgoing out(String method, ObjectNode params) {
        return new Outgoing(method, JsonTree.write(params), headers());
    }

    @Override
    public final Map<String, String> headers() {
        return session.headers();
    }

    @Override
    public final Hello hello(Json result) throws UnusableMessageException {
        return offered.apply(session.hello(result));
    }

    @Override
    public CallResponse read(Call call, Json result) throws UnusableMessageException {
        return call instanceof Call.ListTools
                ? ClientReader.tools(ClientReader.object(result, "result"), this::mode)
                : session.read(call, result);
    }

    @Override
    public Optional<Notice> notice(JsonRpcMessage.Notification notification) throws UnusableMessageException {
        var related = relatedTask(notification.params());
        return session.notice(notification)
                .map(notice -> related.map(task -> about(notice, task)).orElse(notice));
    }

    @Override
    public final Optional<String> relatedTask(Json params) {
        return related == null ? Optional.empty() : related.task(params);
    }

    @Override
    public final Json reply(CallResponse.Question question, Json result) {
        return related == null
                ? result
                : related.to(relatedTask(question.params()).orElse(null), result);
    }

    private static Notice about(Notice notice, String task) {
        return switch (notice) {
            case Notice.Progress progress ->
                new Notice.Progress(progress.token(), progress.progress(), task, progress.resources());
            case Notice.Log log -> new Notice.Log(log.level(), log.logger(), log.data(), task);
            default -> notice;
        };
    }

    @Override
    public final ToolTerms terms(Json definition) {
        var tool = JsonTree.read(definition);
        return new ToolTerms.Usable(mode(tool), Map.of(), ClientReader.repeats(tool));
    }

    /** How a listed tool may be called as a task. */
    protected TaskMode mode(JsonNode tool) {
        return TaskMode.NEVER;
    }
}
