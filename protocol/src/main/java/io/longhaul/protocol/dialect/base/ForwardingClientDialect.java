package io.longhaul.protocol.dialect.base;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RpcError;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The client's side of a generation that adds to the words of a session: what a subclass does not override is said and
 * read as the session says it.
 */
public abstract class ForwardingClientDialect implements ClientDialect {

    private final Generation generation;
    private final ClientDialect session;

    /** @param session says and reads what this generation does not */
    protected ForwardingClientDialect(Generation generation, ClientDialect session) {
        this.generation = generation;
        this.session = session;
    }

    @Override
    public final Generation generation() {
        return generation;
    }

    /** The traits of the session, with the ways of this generation to run long calls. */
    @Override
    public final Traits traits() {
        var own = session.traits();
        return new Traits(own.sessions(), own.resumable(), own.asksByRequest(), own.closingCancels(), ways());
    }

    /** How this generation runs long calls. */
    protected abstract TaskHandling ways();

    @Override
    public Outgoing encode(Call call, ClientProfile me) {
        return session.encode(call, me);
    }

    @Override
    public final Map<String, String> headers() {
        return session.headers();
    }

    @Override
    public Hello hello(Json result) throws UnusableMessageException {
        return session.hello(result);
    }

    @Override
    public Answer decode(Call call, Json result) throws UnusableMessageException {
        return session.decode(call, result);
    }

    @Override
    public Optional<Notice> notice(JsonRpcMessage.Notification notification) throws UnusableMessageException {
        var related = relatedTask(notification.params());
        return session.notice(notification)
                .map(notice -> related.map(task -> about(notice, task)).orElse(notice));
    }

    private static Notice about(Notice notice, String task) {
        return switch (notice) {
            case Notice.Progress progress -> new Notice.Progress(progress.token(), progress.progress(), task);
            case Notice.Log log -> new Notice.Log(log.level(), log.logger(), log.data(), task);
            default -> notice;
        };
    }

    @Override
    public Optional<String> relatedTask(Json params) {
        return session.relatedTask(params);
    }

    @Override
    public Json reply(Answer.Question question, Json result) {
        return session.reply(question, result);
    }

    @Override
    public ToolTerms terms(Json definition) {
        return session.terms(definition);
    }

    @Override
    public final Map<String, String> mirrored(ToolTerms.Usable terms, Json arguments) {
        return session.mirrored(terms, arguments);
    }

    @Override
    public final Optional<List<String>> supported(RpcError error) {
        return session.supported(error);
    }
}
