package io.longhaul.receiver;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** The streams of calls that the client of one session may come back to: all that run, and a few that have ended. */
final class CallTracks {

    private static final int ENDED = 4;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, CallTrack> running = new LinkedHashMap<>();
    private final Map<String, CallTrack> ended = new LinkedHashMap<>();

    void add(CallTrack track) {
        lock.lock();
        try {
            running.put(track.name(), track);
        } finally {
            lock.unlock();
        }
    }

    /** Keeps one whose call has ended for a client that may have lost its connection before. */
    void ended(CallTrack track) {
        lock.lock();
        try {
            running.remove(track.name());
            if (track.isOpened()) {
                ended.put(track.name(), track);
                if (ended.size() > ENDED) {
                    ended.remove(ended.keySet().iterator().next());
                }
            }
        } finally {
            lock.unlock();
        }
    }

    Optional<CallTrack> find(String name) {
        lock.lock();
        try {
            var track = running.get(name);
            return Optional.ofNullable(track == null ? ended.get(name) : track);
        } finally {
            lock.unlock();
        }
    }
}
