<?php
// The functions of WordPress that the plugin of docs/senders.md calls, over SQLite. It is a stand-in for WordPress alone:
// the plugin runs as it is on the page. Each request ends as in WordPress, with the hook `shutdown`.
$hooks = [];

final class WP_Error {}

function add_action($hook, $callback, $priority = 10) {
    global $hooks;
    $hooks[$hook][$priority][] = $callback;
}

function do_action($hook) {
    global $hooks;
    $byPriority = $hooks[$hook] ?? [];
    ksort($byPriority);
    foreach (array_merge([], ...array_values($byPriority)) as $callback) $callback('');
}

/** The table of options, with MySQL's backslash as the escape of LIKE. */
final class wpdb {
    public $options = 'wp_options';
    public $insert_id = 0;
    private $pdo;

    public function __construct($file) {
        $this->pdo = new PDO("sqlite:$file");
        $this->pdo->exec('PRAGMA busy_timeout = 5000');
        $this->pdo->exec('CREATE TABLE IF NOT EXISTS wp_options (option_id INTEGER PRIMARY KEY AUTOINCREMENT,
            option_name TEXT NOT NULL UNIQUE, option_value TEXT NOT NULL, autoload TEXT NOT NULL)');
    }

    public function esc_like($text) {
        return addcslashes($text, '_%\\');
    }

    public function prepare($sql, ...$values) {
        return preg_replace_callback('/%[sd]/', function ($place) use (&$values) {
            $value = array_shift($values);
            return $place[0] === '%d' ? (string) (int) $value : $this->pdo->quote($value);
        }, $sql);
    }

    public function query($sql) {
        return $this->pdo->query(preg_replace("/LIKE '[^']*'/", "$0 ESCAPE '\\'", $sql));
    }

    public function get_results($sql) {
        return $this->query($sql)->fetchAll(PDO::FETCH_OBJ);
    }

    public function get_var($sql) {
        $value = $this->query($sql)->fetchColumn();
        return $value === false ? null : $value;
    }

    public function insert($table, $row) {
        $names = implode(', ', array_keys($row));
        $values = implode(', ', array_map([$this->pdo, 'quote'], $row));
        $this->pdo->exec("INSERT INTO $table ($names) VALUES ($values)");
        $this->insert_id = (int) $this->pdo->lastInsertId();
    }
}

$wpdb = new wpdb(getenv('OPTIONS'));

function get_option($name, $default = false) {
    global $wpdb;
    $found = $wpdb->get_var($wpdb->prepare('SELECT option_value FROM wp_options WHERE option_name = %s', $name));
    return $found === null ? $default : unserialize($found);
}

function delete_option($name) {
    global $wpdb;
    $wpdb->query($wpdb->prepare('DELETE FROM wp_options WHERE option_name = %s', $name));
}

function update_option($name, $value, $autoload = null) {
    global $wpdb;
    delete_option($name);
    $wpdb->insert('wp_options', ['option_name' => $name, 'option_value' => serialize($value), 'autoload' => 'yes']);
}

function wp_doing_cron() {
    return strtok($_SERVER['REQUEST_URI'], '?') === '/wp-cron.php';
}

function wp_next_scheduled($hook) {
    return get_option('cron', [])[$hook] ?? false;
}

function wp_schedule_single_event($time, $hook) {
    update_option('cron', [$hook => $time] + get_option('cron', []));
}

function home_url($path) {
    return "https://www.acme.com$path";
}

function wp_json_encode($value) {
    return json_encode($value);
}

function wp_remote_post($url, $options) {
    $headers = [];
    foreach ($options['headers'] as $name => $value) $headers[] = "$name: $value";
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'timeout' => $options['timeout'],
        'ignore_errors' => true,
        'header' => $headers,
        'content' => $options['body'],
    ]]);
    $reply = @fopen($url, 'r', false, $context);
    if (!$reply) return new WP_Error();
    return ['head' => stream_get_meta_data($reply)['wrapper_data'], 'body' => stream_get_contents($reply)];
}

function wp_remote_retrieve_response_code($reply) {
    return is_array($reply) ? (int) explode(' ', $reply['head'][0])[1] : '';
}

function wp_remote_retrieve_header($reply, $name) {
    $lines = is_array($reply) ? preg_grep("/^$name:/i", $reply['head']) : [];
    return $lines ? trim(explode(':', current($lines), 2)[1]) : '';
}

function wp_remote_retrieve_body($reply) {
    return is_array($reply) ? $reply['body'] : '';
}

require getenv('PLUGIN');
register_shutdown_function('do_action', 'shutdown');

if (wp_doing_cron()) {
    $due = array_filter(get_option('cron', []), fn ($time) => $time <= time());
    update_option('cron', array_diff_key(get_option('cron', []), $due));
    foreach (array_keys($due) as $hook) do_action($hook);
} else {
    if (strpos($_SERVER['REQUEST_URI'], '/absent') === 0) http_response_code(404);
    echo 'Hello';
}
